import { describe, expect, it } from '@jest/globals';
import { creatorAnalysisSchema } from '../../features/analysis/creator-analysis.js';
import { ANSWER_JSON_SCHEMA } from './answer-schema.js';

type Json = Readonly<Record<string, unknown>>;

/** Yields a schema and all schemas in it. */
function* schemasIn(schema: Json): Generator<Json> {
  yield schema;
  const { properties = {}, items, anyOf = [] } = schema as { properties?: Json; items?: Json; anyOf?: Json[] };
  for (const inner of [...Object.values(properties), ...(items === undefined ? [] : [items]), ...anyOf]) {
    yield* schemasIn(inner as Json);
  }
}

describe('the JSON schema of an answer', () => {
  it('has every member of the analysis, and the evidence', () => {
    expect(Object.keys(ANSWER_JSON_SCHEMA.properties as object)).toEqual([
      ...Object.keys(creatorAnalysisSchema.shape),
      'evidence',
    ]);
  });

  it('is in the strict subset: objects are closed, all members are required, and no other keywords occur', () => {
    for (const schema of schemasIn(ANSWER_JSON_SCHEMA)) {
      const known = ['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'anyOf', 'description'];
      expect(Object.keys(schema).filter((keyword) => !known.includes(keyword))).toEqual([]);
      if (schema.type !== 'object') continue;
      expect([schema.additionalProperties, schema.required]).toEqual([false, Object.keys(schema.properties as object)]);
    }
  });

  it('lets a model say that it does not know', () => {
    const { gender, birthday, family } = ANSWER_JSON_SCHEMA.properties as Readonly<Record<string, Json>>;
    expect(gender?.type).toEqual(['string', 'null']);
    expect(birthday?.anyOf).toEqual([expect.objectContaining({ type: 'object' }), { type: 'null' }]);
    expect(family).toMatchObject({ properties: { has_children: { type: ['boolean', 'null'] } } });
  });
});
