import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Spectral, type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { ROOT } from '../../support/files/project-root.js';

const text = readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8');

/** Every member of every schema and every parameter, with its path. */
function* described(value: unknown, at = '#'): Generator<[string, Readonly<Record<string, unknown>>]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'example') continue;
    if (name === 'properties' || name === 'parameters') {
      for (const [member, schema] of Object.entries(inner)) yield [`${at}/${name}/${member}`, schema as never];
    }
    yield* described(inner, `${at}/${name}`);
  }
}

describe('docs/openapi.json', () => {
  it('satisfies every rule that Redocly recommends', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it('satisfies every rule of spectral:oas', async () => {
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [oas as RulesetDefinition] });
    const problems = await spectral.run(JSON.parse(text));
    expect(problems.map(({ code, message, path }) => `${code}: ${message} at ${path.join('/')}`)).toEqual([]);
  });

  it('describes every parameter and every member', () => {
    const all = [...described(JSON.parse(text))];
    expect(all.length).toBeGreaterThan(200);
    const silent = all.filter(([, { description, $ref }]) => description === undefined && $ref === undefined);
    expect(silent.map(([at]) => at)).toEqual([]);
  });

  it('states the cost of every operation with a key, and the meaning of every 404 of its own', () => {
    const { paths } = JSON.parse(text) as OpenAPIObject;
    for (const { get, post } of Object.values(paths)) {
      for (const { operationId, security = [], responses, description = '' } of [get, post].flatMap(
        (one) => one ?? [],
      )) {
        const says = [description.includes('**Cost:** '), description.includes('**404:** `')];
        const own404 = '404' in responses && !('$ref' in (responses['404'] ?? {}));
        expect([operationId, ...says]).toEqual([operationId, security.length > 0, own404]);
      }
    }
  });
});
