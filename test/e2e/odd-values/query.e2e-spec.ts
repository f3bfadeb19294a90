import { beforeAll, describe, expect, it } from '@jest/globals';
import { ODD_ENCODED_TEXTS, problemOf, sendAll } from '../../support/http/odd-values.js';
import { Description, loadOneOfEach, OPERATION_IDS, requestOf } from '../../support/openapi/operations.js';
import { describeService } from '../../support/service/test-service.js';

/** Unknown parameter names, and malformed query strings. */
const ODD_QUERIES: readonly string[] = [
  ...['', 'x'.repeat(10_000), '%00', '%', '%ff', '__proto__', 'constructor', '%F0%9F%98%80', 'a%5B%5D'].map(
    (name) => `${name}=1`,
  ),
  '&',
  '&&=',
  '=',
  '==',
  '?',
  '&'.repeat(2_000),
];

describeService('odd values in the query and in headers', (service) => {
  let description: Description;
  let id: string;

  beforeAll(async () => {
    description = await Description.of(service());
    id = await loadOneOfEach(service());
  });

  describe.each(OPERATION_IDS)('%s', (operationId) => {
    it('any text in any parameter, repeated, or as array or object, is answered with 2xx or 4xx in the envelope', async () => {
      const operation = description.operation(operationId);
      const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      const queries = names.flatMap((name) => [
        ...ODD_ENCODED_TEXTS.map((value) => `${name}=${value}`),
        name,
        `${name}=1&${name}=2`,
        `${name}[]=1`,
        `${name}[0]=1&${name}[1]=2`,
        `${name}[__proto__][x]=1`,
        `${name}.x=1`,
      ]);
      const requests = [...queries, ...ODD_QUERIES].map((query) => requestOf(operation, id, { query }));
      expect(await sendAll(service(), description, requests)).toEqual({ sent: requests.length, wrong: [] });
    });
  });

  it('any value of a header that the service reads is answered with 2xx or 4xx in the envelope', async () => {
    const values = [
      '',
      ' ',
      '*',
      ',',
      ';',
      'x'.repeat(4_000),
      '\u00e9',
      'gzip;q=x',
      '"',
      'W/"',
      '-1',
      '__proto__',
      '%00',
    ];
    const names = ['accept', 'accept-encoding', 'accept-language', 'if-none-match', 'if-modified-since', 'range'];
    const others = ['x-forwarded-for', 'x-http-method-override', 'origin', 'content-type', 'cookie', 'expect-ct'];
    const wrong: string[] = [];
    for (const name of [...names, ...others]) {
      for (const value of values) {
        const answer = await service().get('/platforms/live_platform/profiles', { [name]: value });
        if (answer.status === 304 && name === 'if-none-match' && value === '*') continue;
        const problem = problemOf(description, answer);
        if (problem !== null) wrong.push(`${name}: ${value.slice(0, 20)}: ${problem}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
