import { beforeAll, expect, it } from '@jest/globals';
import { ODD_ENCODED_TEXTS, sendAll } from '../../support/http/odd-values.js';
import { Description, loadOneOfEach, OPERATION_IDS, requestOf } from '../../support/openapi/operations.js';
import { describeService } from '../../support/service/test-service.js';

describeService('odd values in the path', (service) => {
  let description: Description;
  let id: string;

  beforeAll(async () => {
    description = await Description.of(service());
    id = await loadOneOfEach(service());
  });

  it.each(OPERATION_IDS)(
    '%s: any text in any path parameter is answered with 2xx or 4xx in the envelope',
    async (operationId) => {
      const operation = description.operation(operationId);
      const names = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      const inPath = Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name]) => String(name));
      expect(names.toSorted()).toEqual(inPath.toSorted());
      const requests = names.flatMap((name) =>
        ODD_ENCODED_TEXTS.map((value) => requestOf(operation, id, { path: { [name]: value } })),
      );
      const sent = names.length * ODD_ENCODED_TEXTS.length;
      expect(await sendAll(service(), description, requests)).toEqual({ sent, wrong: [] });
    },
  );
});
