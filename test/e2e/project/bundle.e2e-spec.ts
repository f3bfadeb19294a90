import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../support/files/project-root.js';
import { buildOnce } from '../../support/process/build.js';

const BUNDLE = join(ROOT, 'dist/bundle');

/** Lists the source files in a program and in what it imports at its start. */
function sourcesAtStart(program: string): string[] {
  const files = new Set([program]);
  const all: string[] = [];
  for (const file of files) {
    const code = readFileSync(join(BUNDLE, file), 'utf8');
    for (const [, chunk = ''] of code.matchAll(/(?:^|[;}\n])import(?:[\w$*{},\s]*from)?"\.\/([^"]+)"/g))
      files.add(chunk);
    const { sources } = JSON.parse(readFileSync(join(BUNDLE, `${file}.map`), 'utf8')) as { sources: string[] };
    all.push(...sources);
  }
  return all;
}

const packagesOf = (sources: readonly string[]): Set<string> =>
  new Set(sources.map((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? ''));

beforeAll(() => buildOnce());

describe.each(['main.mjs', 'cli.mjs'])('the built %s', (program) => {
  it('starts without the drivers and the parts that only some installations use', () => {
    const packages = packagesOf(sourcesAtStart(program));
    expect(packages).toContain('typeorm');
    for (const optional of ['mysql2', 'better-sqlite3', 'ioredis', 'vega', 'prom-client']) {
      expect(packages).not.toContain(optional);
    }
  });

  it("contains TypeORM's drivers for MySQL and SQLite, and no other", () => {
    const drivers = sourcesAtStart(program).flatMap(
      (source) => /\/driver\/([\w-]+)\/\w+QueryRunner\./.exec(source)?.[1] ?? [],
    );
    expect(drivers.toSorted()).toEqual(['better-sqlite3', 'mysql', 'sqlite-abstract']);
  });
});

it("the operator's commands start without Nest", () => {
  const packages = [...packagesOf(sourcesAtStart('cli.mjs'))];
  expect(packages.filter((name) => name.startsWith('@nestjs/') || name === 'rxjs')).toEqual([]);
});
