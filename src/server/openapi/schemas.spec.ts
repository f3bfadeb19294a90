import { describe, expect, it } from '@jest/globals';
import { openApiSchemas } from './schemas.js';

describe('the OpenAPI schemas', () => {
  const schemas = openApiSchemas();

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

  it('say what may be null, in the words of OpenAPI 3.0', () => {
    expect(schemas.Content.properties).toMatchObject({
      content_id: { type: 'string', description: 'ID of the item on the platform' },
      created_at: { type: 'string', format: 'date-time', nullable: true },
      duration: { type: 'integer', format: 'int64', nullable: true },
      categories: { type: 'array', items: { $ref: '#/components/schemas/Category' } },
    });
    expect(schemas.Content.properties).not.toHaveProperty('content_id.nullable');
    expect(schemas.CreatorAnalysis.properties).toMatchObject({ birthday: { type: 'object', nullable: true } });
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

  it('hold nothing that OpenAPI 3.0 does not know', () => {
    const text = JSON.stringify(schemas);
    for (const key of ['$id', '$schema', 'default', 'anyOf', '__shared', '$defs', 'const']) {
      expect(text).not.toContain(`"${key}":`);
    }
    expect(text).not.toContain('"type":"null"');
  });
});
