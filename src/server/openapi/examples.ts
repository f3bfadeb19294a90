import type { OpenAPIObject } from '@nestjs/swagger';
import recorded from './generated/examples.json' with { type: 'json' };

/** Example request of an operation, with the response from the sample data. */
export interface Example {
  /** Path and query parameters by name. */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object;
  readonly response: object;
}

export type Examples = Readonly<Partial<Record<string, Example>>>;

/** Examples by operation; `npm run openapi` records them from a service with the sample data. */
export const EXAMPLES: Examples = recorded;

export function addExamples(document: OpenAPIObject, examples: Examples): void {
  for (const item of Object.values(document.paths)) {
    for (const operation of [item.get, item.post]) {
      const example = examples[operation?.operationId ?? ''];
      if (operation === undefined || example === undefined) continue;
      for (const parameter of operation.parameters ?? []) {
        if (!('name' in parameter)) continue;
        const value = example.parameters?.[parameter.name];
        if (value !== undefined) parameter.example = value;
      }
      setExample(operation.requestBody, example.body);
      setExample(operation.responses['200'], example.response);
    }
  }
}

function setExample(holder: object | undefined, example: object | undefined): void {
  if (holder === undefined || example === undefined) return;
  const { content } = holder as { content?: Record<string, { example?: unknown }> };
  const json = content?.['application/json'];
  if (json !== undefined) json.example = example;
}
