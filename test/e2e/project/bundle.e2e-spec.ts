import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../support/files/project-root.js';
import { buildOnce } from '../../support/process/build.js';

const BUNDLE = join(ROOT, 'dist/bundle');

/** Lists the packages in a program and in what it imports at its start. */
function packagesAtStart(program: string): Set<string> {
  const files = new Set([program]);
  const packages = new Set<string>();
  for (const file of files) {
    const code = readFileSync(join(BUNDLE, file), 'utf8');
    for (const [, chunk = ''] of code.matchAll(/(?:^|[;}\n])import(?:[\w$*{},\s]*from)?"\.\/([^"]+)"/g))
      files.add(chunk);
    const { sources } = JSON.parse(readFileSync(join(BUNDLE, `${file}.map`), 'utf8')) as { sources: string[] };
    for (const source of sources) {
      const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
      if (name !== undefined) packages.add(name);
    }
  }
  return packages;
}

beforeAll(() => buildOnce());

describe.each(['main.mjs', 'cli.mjs'])('the built %s', (program) => {
  it('starts without the drivers and the parts that only some installations use', () => {
    const packages = packagesAtStart(program);
    expect(packages).toContain('typeorm');
    for (const optional of ['mysql2', 'better-sqlite3', 'ioredis', 'vega', 'prom-client']) {
      expect(packages).not.toContain(optional);
    }
  });
});
