import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE_REQUEST_ID } from '../../../src/http/envelope/envelope-schemas.js';
import type { Example } from '../../../src/server/openapi/examples.js';
import type { Answer } from '../http/request.js';
import { operationsOf, type DescribedOperation } from './operations.js';
import { sampleNow, sampleRequestValues } from '../records/sample-data.js';
import type { TestService } from '../service/test-service.js';

/** Requests an example of every operation from a service with the sample data. */
export async function recordExamples(service: TestService, document: OpenAPIObject): Promise<Record<string, Example>> {
  service.clock.stopAt(sampleNow());
  const values = sampleRequestValues();
  const month = monthOf(sampleNow());
  const examples: Record<string, Example> = {};
  for (const operation of operationsOf(document)) {
    const parameters = Object.fromEntries(
      operation.parameters.flatMap(({ name, schema }) => {
        const own = operation.operationId === 'usage.get' ? month[name] : undefined;
        // Each endpoint includes something else.
        const included = name === 'include' ? schema?.enum?.[0] : undefined;
        const value = own ?? included ?? values[name] ?? schema?.default;
        return value === undefined ? [] : [[name, value]];
      }),
    ) as Record<string, string | number>;
    const without = operation.parameters.filter(({ name }) => name !== 'cursor' && !(name in parameters));
    if (without.length > 0) {
      const names = without.map(({ name }) => name).join(', ');
      throw new Error(`${operation.operationId}: no example of ${names}: add it to sampleRequestValues`);
    }
    const body = Object.fromEntries(operation.bodyMembers.map((name) => [name, values[name]]));
    const request = operation.method === 'POST' ? { parameters, body } : { parameters };
    const { status, body: response } = await sendExample(service, operation, request);
    if (status !== 200) throw new Error(`${operation.operationId}: ${status} ${JSON.stringify(response)}`);
    for (const item of [response.payload].flat() as unknown[]) fixChangeTime(item);
    if ('request_id' in response.meta) response.meta.request_id = EXAMPLE_REQUEST_ID;
    const next = operation.parameters.some(({ name }) => name === 'cursor') ? response.paging.next_cursor : undefined;
    if (next === null) throw new Error(`${operation.operationId}: the example has no second page`);
    if (next !== undefined) parameters.cursor = next;
    examples[operation.operationId] = { ...request, response };
  }
  service.clock.reset();
  return examples;
}

/** Sets the time at which a change was stored, which is that of the recording, to that of the sample data. */
function fixChangeTime(item: unknown): void {
  if (typeof item === 'object' && item !== null && 'changed_at' in item) {
    item.changed_at = new Date(sampleNow()).toISOString();
  }
}

/** Returns the days of a month, as parameters. */
function monthOf(time: number): Readonly<Record<string, string | undefined>> {
  const [year = 0, month = 0] = new Date(time).toISOString().split('-').map(Number);
  const day = (of: number) => new Date(of).toISOString().slice(0, 10);
  return { start_date: day(Date.UTC(year, month - 1, 1)), end_date: day(Date.UTC(year, month, 0)) };
}

/** Returns whether a parameter cannot be sent with the others: a range needs another sort than the dates, and `from` excludes `cursor`. */
export const isSentAlone = (name: string): boolean => /^(?:min|max)_|^from$/.test(name);

/** Sends the request of an example, without parameters that exclude others. */
export function sendExample(
  service: TestService,
  { method, path, parameters: described }: DescribedOperation,
  { parameters = {}, body }: Omit<Example, 'response'>,
): Promise<Answer> {
  const address = new URL(
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(parameters[name])),
    service.origin,
  );
  for (const { name, in: location } of described) {
    if (location === 'query' && name in parameters && !isSentAlone(name))
      address.searchParams.set(name, String(parameters[name]));
  }
  const target = address.pathname + address.search;
  return method === 'POST' ? service.post(target, body) : service.get(target);
}
