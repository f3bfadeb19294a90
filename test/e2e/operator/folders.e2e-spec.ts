import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/stores/test-database.js';
import { runBuiltCommand } from '../../support/process/processes.js';

/** A folder in which no folder can be made, whoever asks: Node's recursive `mkdir` never ends there. */
const IMPOSSIBLE = '/proc/creator-data-test';

describe('a command that makes a folder', () => {
  let database: TestDatabase;
  let source: string;
  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    source = join(database.folder, 'users.json');
    const url = 'https://api.twitch.tv/helix/users';
    writeFileSync(source, JSON.stringify({ url, fetched_at: null, body: { data: [{ id: '1', login: 'a' }] } }));
    await runBuiltCommand(['migrate'], settings());
  });
  afterAll(() => database.drop());

  const settings = () => ({ DATABASE_URL: database.url, DATA_DIR: database.folder });
  const month = ['--month', '2026-01'];
  const commands = (out: string): [string, string[]][] => [
    ['usage invoice', ['usage', 'invoice', ...month, '--out', out]],
    ['usage report', ['usage', 'report', ...month, '--out', out]],
    ['usage archive', ['usage', 'archive', ...month, '--out', out]],
    ['normalize', ['normalize', 'auto', source, '--out', out]],
  ];

  it.each(commands(''))('%s ends with one line where none can be made', async (name) => {
    for (const folder of [IMPOSSIBLE, `${IMPOSSIBLE}/a/b`, '/dev/null/a']) {
      const args = commands(folder).find(([command]) => command === name)?.[1] ?? [];
      const { status, out, err } = await runBuiltCommand(args, settings());
      expect([status, out]).toEqual([1, '']);
      expect(err).toMatch(/^[^\n]*(\/proc\/creator-data-test|\/dev\/null)[^\n]*\n$/);
    }
  });

  it.each(commands(''))('%s rejects an empty path', async (_, args) => {
    expect(await runBuiltCommand(args, settings())).toEqual(
      expect.objectContaining({ status: 1, out: '', err: '--out must name a folder\n' }),
    );
  });

  it.each(commands(''))('%s makes a folder with those above it, and takes one that is there', async (name) => {
    const folder = join(database.folder, name, 'a', 'b');
    const args = commands(folder).find(([command]) => command === name)?.[1] ?? [];
    expect(await runBuiltCommand(args, settings())).toMatchObject({ status: 0 });
    expect(existsSync(folder)).toBe(true);
    const empty = join(database.folder, name, 'empty');
    mkdirSync(empty);
    const again = commands(empty).find(([command]) => command === name)?.[1] ?? [];
    expect(await runBuiltCommand(again, settings())).toMatchObject({ status: 0 });
  });
});
