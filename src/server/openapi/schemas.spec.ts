import { describe, expect, it } from '@jest/globals';
import { createOpenApiSchemas } from './schemas.js';

describe('the OpenAPI schemas', () => {
  const schemas = createOpenApiSchemas();

  it('require every member of a record, in the documented order', () => {
    expect(schemas.Game.required).toEqual([
      'id',
      'name',
      'slug',
      'first_release_date',
      'live_platform_id',
      'video_platform_id',
    ]);
    expect(schemas.Profile.required).toEqual(Object.keys(schemas.Profile.properties ?? {}));
  });

  it('say what may be null, as a list of two types', () => {
    expect(schemas.Content.properties).toMatchObject({
      content_id: { type: 'string', description: 'ID of the item on the platform' },
      created_at: { type: ['string', 'null'], format: 'date-time' },
      duration: { type: ['integer', 'null'], format: 'int64' },
      categories: { type: 'array', items: { $ref: '#/components/schemas/Category' } },
    });
    expect(schemas.CreatorAnalysis.properties).toMatchObject({ birthday: { type: ['object', 'null'] } });
  });

  it('leave out statistics from what is required, for only the loaded ones are present', () => {
    expect(schemas.Content.properties).not.toHaveProperty('statistics.required');
    expect(schemas.Content.properties).toHaveProperty('statistics.properties.comments.required', ['sum', 'avg']);
  });

  it('refer only to each other', () => {
    const references = JSON.stringify(schemas).matchAll(/"\$ref":"([^"]*)"/g);
    const known = Object.keys(schemas).map((name) => `#/components/schemas/${name}`);
    for (const [, reference] of references) expect(known).toContain(reference);
  });

  it('hold nothing that generators of clients do not know, and let members be added', () => {
    // A change has a record of one of several kinds, or none: the clients' generators are tested with it.
    const { Change: _change, GameChange: _gameChange, ...others } = schemas;
    const text = JSON.stringify(others);
    for (const key of ['$id', '$schema', 'default', 'anyOf', '__shared', '$defs', 'const', 'additionalProperties']) {
      expect(text).not.toContain(`"${key}":`);
    }
    expect(text).not.toContain('"type":"null"');
  });
});
