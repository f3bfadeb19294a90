import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE_REQUEST_ID } from '../../../src/http/envelope/envelope-schemas.js';
import type { Example } from '../../../src/server/openapi/examples.js';
import type { Answer } from '../http/request.js';
import { operationsOf, type DescribedOperation } from './operations.js';
import { sampleNow, sampleRequestValues } from '../records/sample-data.js';
import type { TestService } from '../service/test-service.js';

/** Parameters without an example: they would select a page other than the first, or days without usage. */
const OMITTED_PARAMETERS = /\.cursor$|^usage\.get\.(?:start|end)_date$/;

/** Requests an example of every operation from a service with the sample data. */
export async function recordExamples(service: TestService, document: OpenAPIObject): Promise<Record<string, Example>> {
  service.clock.stopAt(sampleNow());
  const values = sampleRequestValues();
  const examples: Record<string, Example> = {};
  for (const operation of operationsOf(document)) {
    const parameters = Object.fromEntries(
      operation.parameters.flatMap(({ name, schema }) => {
        const value = values[name] ?? schema?.default;
        return value === undefined || OMITTED_PARAMETERS.test(`${operation.operationId}.${name}`)
          ? []
          : [[name, value]];
      }),
    ) as Record<string, string | number>;
    const body = Object.fromEntries(operation.bodyMembers.map((name) => [name, values[name]]));
    const request = operation.method === 'POST' ? { parameters, body } : { parameters };
    const { status, body: response } = await sendExample(service, operation, request);
    if (status !== 200) throw new Error(`${operation.operationId}: ${status} ${JSON.stringify(response)}`);
    if ('request_id' in response.meta) response.meta.request_id = EXAMPLE_REQUEST_ID;
    examples[operation.operationId] = { ...request, response };
  }
  service.clock.reset();
  return examples;
}

/** Sends the request of an example. */
export function sendExample(
  service: TestService,
  { method, path, parameters: described }: DescribedOperation,
  { parameters = {}, body }: Omit<Example, 'response'>,
): Promise<Answer> {
  const address = new URL(
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(parameters[name])),
    service.origin,
  );
  for (const { name, in: place } of described) {
    if (place === 'query' && name in parameters) address.searchParams.set(name, String(parameters[name]));
  }
  const target = address.pathname + address.search;
  return method === 'POST' ? service.post(target, body) : service.get(target);
}
