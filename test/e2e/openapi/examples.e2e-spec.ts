import { beforeAll, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { sendExample } from '../../support/openapi/examples.js';
import { operationsOf } from '../../support/openapi/operations.js';
import { loadSampleData } from '../../support/records/sample-data.js';
import { describeService } from '../../support/service/test-service.js';
import documentOnDisk from '../../../docs/openapi.json' with { type: 'json' };

const document = documentOnDisk as unknown as OpenAPIObject;

describeService('the examples of the description, sent to a service with the sample data', (service) => {
  beforeAll(() => loadSampleData(service()));

  it('every parameter has one', () => {
    for (const { operationId, parameters } of operationsOf(document)) {
      const without = parameters.filter(({ example }) => example === undefined).map(({ name }) => name);
      expect([operationId, without]).toEqual([operationId, []]);
    }
  });

  it.each(operationsOf(document).map((operation) => [operation.operationId, operation] as const))(
    '%s: are answered with data, all together and unchanged',
    async (_, operation) => {
      const parameters = Object.fromEntries(
        operation.parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])),
      );
      const request =
        operation.bodyExample === undefined ? { parameters } : { parameters, body: operation.bodyExample };
      const { status, body } = await sendExample(service(), operation, request as never);
      expect(status).toBe(200);
      // The days of this example are those of the sample data, in which this service may not have been used.
      const mayBeEmpty = operation.operationId === 'usage.get';
      expect(mayBeEmpty || Object.keys(body.payload).length > 0).toBe(true);
    },
  );
});
