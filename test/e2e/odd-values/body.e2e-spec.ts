import { beforeAll, describe, expect, it } from '@jest/globals';
import { ODD_TEXTS, sendAll } from '../../support/http/odd-values.js';
import { Description, loadOneOfEach, OPERATION_IDS, requestOf } from '../../support/openapi/operations.js';
import { describeService } from '../../support/service/test-service.js';

/** Bodies, with `M` for the name of the member that the operation reads. */
const BODIES: readonly string[] = [
  '',
  '{}',
  '[]',
  'null',
  '1',
  '"M"',
  '{"M":null}',
  '{"M":{}}',
  '{"M":{"length":1,"0":"x"}}',
  '{"M":[[]]}',
  '{"M":[{}]}',
  '{"M":[null]}',
  '{"M":["x",1]}',
  '{"M":["\\ud800"]}',
  '{"M":["\\u0000"]}',
  '{"M":["x"],"M":["y"]}',
  '{"M":["x"],"__proto__":{"M":["y"]}}',
  '{"__proto__":{"M":["y"]}}',
  '{"constructor":{"prototype":{"M":["y"]}}}',
  '{"M":["x"],"toString":1}',
  `{"M":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  `{"M":${JSON.stringify(Array.from({ length: 100 }, (_, index) => `${index}`))}}`,
];

describeService('odd values in the body', (service) => {
  let description: Description;
  let id: string;

  beforeAll(async () => {
    description = await Description.of(service());
    id = await loadOneOfEach(service());
  });

  describe.each(OPERATION_IDS)('%s', (operationId) => {
    it('any body, expected or not, is answered with 2xx or 4xx in the envelope', async () => {
      const operation = description.operation(operationId);
      const member = operation.bodyMembers[0] ?? 'x';
      const fixed = BODIES.map((body) => body.replaceAll('M', member));
      const made = ODD_TEXTS.flatMap((text) => [{ [member]: text }, { [member]: [text] }, { [text]: ['x'] }]);
      const bodies =
        operation.method === 'POST' ? [...fixed, ...made.map((body) => JSON.stringify(body))] : fixed.slice(0, 10);
      const requests = bodies.map((body) => ({ ...requestOf(operation, id), method: 'POST', body }));
      expect(await sendAll(service(), description, requests)).toEqual({ sent: requests.length, wrong: [] });
    });
  });
});
