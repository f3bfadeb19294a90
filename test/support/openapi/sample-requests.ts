import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ROOT } from '../files/project-root.js';
import { isSentAlone } from './examples.js';
import { operationsOf, type Sendable } from './operations.js';
import { sampleRequestValues } from '../records/sample-data.js';

/** Request of an operation for which the sample data has an answer. */
export interface SampleRequest extends Sendable {
  readonly operationId: string;
}

/** Creates a request for every operation of `docs/openapi.json` that needs a key. */
export function sampleRequests(): SampleRequest[] {
  const document = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as OpenAPIObject;
  const values = sampleRequestValues();
  return operationsOf(document)
    .filter(({ needsKey }) => needsKey)
    .map(({ operationId, method, path, parameters, bodyMembers }) => {
      const query = new URLSearchParams();
      for (const { name, in: location } of parameters) {
        const isDate = name === 'start_date' || name === 'end_date';
        if (location !== 'query' || isSentAlone(name) || (isDate && operationId === 'usage.get')) continue;
        if (name in values) query.set(name, String(values[name]));
      }
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
      const body = Object.fromEntries(bodyMembers.map((name) => [name, values[name]]));
      return {
        operationId,
        method,
        path: query.size === 0 ? filled : `${filled}?${query.toString()}`,
        ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
      };
    });
}
