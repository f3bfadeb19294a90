import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Database } from '../../../src/database/database.js';
import { readConfig } from '../../../src/model/config.js';
import { migrate, openDatabase } from '../../../src/schema/open-database.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { documents, profiles } from '../../support/sources/fragments.js';
import { importKindOf } from '../../support/records/import-kinds.js';
import { loadText } from '../../support/records/import-file.js';
import { ingestInto, toNdjson, normalize } from '../../support/sources/sources.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';

const TABLES = ['profiles', 'content', 'games', 'social_links', 'game_content', 'observations'];

/** Later than all responses: a response without a time counts as received now. */
const NOW = Date.parse('2026-06-01T00:00:00.000Z');

describe.each(DIALECTS)('merging into %s', (dialect) => {
  const runs = { numRuns: dialect === 'sqlite' ? 40 : 15 };
  let place: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    place = await createTestDatabase(dialect);
    database = await openDatabase(readConfig({ DATABASE_URL: place.url }).database);
    await migrate(database);
  });
  afterAll(async () => {
    await database.close();
    await place.drop();
  });

  const query = (sql: string) =>
    withoutSqlCheck(() => database.dataSource.query(sql)) as Promise<Record<string, unknown>[]>;
  const empty = async () => {
    for (const table of TABLES) await query(`DELETE FROM ${table}`);
  };
  /** Returns all stored documents as text. */
  const stored = async (...tables: readonly string[]) => {
    const found: Record<string, string[]> = {};
    for (const table of tables) {
      const rows = await query(`SELECT document FROM ${table}`);
      found[table] = rows.map(({ document }) => String(document)).sort();
    }
    return found;
  };
  const records = () => stored('profiles', 'content', 'games', 'social_links', 'game_content');
  const load = (given: readonly unknown[]) => ingestInto(database, { 'a.ndjson': toNdjson(...given) }, { now: NOW });

  it('into an empty database is the same as normalising and importing', async () => {
    await fc.assert(
      fc.asyncProperty(documents, async (given) => {
        await empty();
        await load(given);
        const ingested = await records();
        await empty();
        const { files } = await normalize({ 'a.ndjson': toNdjson(...given) });
        for (const name of Object.keys(files)) {
          const kind = importKindOf(name.replace('.ndjson', ''));
          expect((await loadText(database, kind, files[name] ?? '', place.folder)).rejected).toEqual([]);
        }
        expect(await records()).toEqual(ingested);
      }),
      runs,
    );
  });

  it('twice is the same as once', async () => {
    await fc.assert(
      fc.asyncProperty(documents, async (given) => {
        await empty();
        await load(given);
        const once = await stored(...TABLES.slice(0, 3), 'observations');
        await load(given);
        expect(await stored(...TABLES.slice(0, 3), 'observations')).toEqual(once);
      }),
      runs,
    );
  });

  it('stores the same profiles for any order of runs', async () => {
    await fc.assert(
      fc.asyncProperty(profiles, profiles, async (first, second) => {
        await empty();
        await load(first);
        await load(second);
        const inOneOrder = await stored('profiles', 'observations');
        await empty();
        await load(second);
        await load(first);
        expect(await stored('profiles', 'observations')).toEqual(inOneOrder);
      }),
      runs,
    );
  });

  it('never overwrites a value with null unless a later response contains null', async () => {
    await fc.assert(
      fc.asyncProperty(profiles, profiles, async (first, second) => {
        await empty();
        await load(first);
        const before = await profilesNow();
        await load(second);
        const after = await profilesNow();
        const isToldBy = (key: string, name: string) =>
          second.some(({ plain }) => plain.some((one) => `${one.platform} ${one.id}` === key && name in one.known));
        for (const [key, old] of before) {
          const kept = MEMBERS.filter((name) => old[name] !== null && !isToldBy(key, name));
          expect(membersOf(after.get(key), kept)).toEqual(membersOf(old, kept));
        }
      }),
      runs,
    );
  });

  const profilesNow = async () => {
    const found = ((await stored('profiles')).profiles ?? []).map(
      (text) => JSON.parse(text) as Record<string, unknown>,
    );
    return new Map(found.map((profile) => [`${String(profile.platform_id)} ${String(profile.id)}`, profile]));
  };
});

const MEMBERS = ['name', 'display_name', 'description', 'is_mature', 'last_active_at'];

const membersOf = (record: Record<string, unknown> | undefined, names: readonly string[]) =>
  names.map((name) => record?.[name]);
