import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns that hold "unknown" as a number, and its sign: games are ordered by their negative popularity. */
const COLUMNS = [
  ['profiles', 'followers', -1],
  ['profiles', 'updated_at', -1],
  ['profiles', 'last_active_at', -1],
  ['content', 'created_at', -1],
  ['game_content', 'created_at', -1],
  ['creator_analyses', 'updated_at', -1],
  ['audience_analyses', 'updated_at', -1],
  ['social_links', 'updated_at', -1],
  ['emails', 'updated_at', -1],
  ['games', 'unpopularity', 1],
] as const;

const BEFORE = 2n ** 53n;
const AFTER = BEFORE - 1n;

/** "Unknown" was -(2^53), which one SQLite driver refuses to read as a number. */
export class KeepUnknownValuesSafe1763750000000 implements MigrationInterface {
  readonly name = 'KeepUnknownValuesSafe1763750000000';

  up(runner: QueryRunner): Promise<void> {
    return replace(runner, BEFORE, AFTER);
  }

  down(runner: QueryRunner): Promise<void> {
    return replace(runner, AFTER, BEFORE);
  }
}

async function replace(runner: QueryRunner, from: bigint, to: bigint): Promise<void> {
  for (const [table, column, sign] of COLUMNS) {
    const value = (size: bigint) => BigInt(sign) * size;
    await runner.query(`UPDATE ${table} SET ${column} = ${value(to)} WHERE ${column} = ${value(from)}`);
  }
}
