import {
  Table,
  type MigrationInterface,
  type QueryRunner,
  type TableColumnOptions,
  type TableIndexOptions,
} from 'typeorm';

/** Creates the first schema. Migrations never change, so this one repeats column types instead of importing them. */
export class CreateTables1763600000000 implements MigrationInterface {
  readonly name = 'CreateTables1763600000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of tables(runner.connection.options.type === 'mysql')) await runner.createTable(table);
    await runner.query("INSERT INTO counters (name, value) VALUES ('games_revision', 0), ('data_lock', 0)");
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of tables(runner.connection.options.type === 'mysql').reverse()) await runner.dropTable(table);
  }
}

type ColumnType = Pick<TableColumnOptions, 'type' | 'length' | 'charset' | 'collation'>;

function tables(mysql: boolean): Table[] {
  const bytes = (length: number): ColumnType =>
    mysql ? { type: 'varbinary', length: String(length) } : { type: 'text' };
  const id = bytes(255);
  const code: ColumnType = { type: 'tinyint' };
  const bigint: ColumnType = { type: 'bigint' };
  const integer: ColumnType = { type: mysql ? 'int' : 'integer' };
  const document: ColumnType = mysql
    ? { type: 'mediumtext', charset: 'utf8mb4', collation: 'utf8mb4_bin' }
    : { type: 'text' };

  const creatorDocuments = (name: string) =>
    table(name, ['platform', 'profile_id'], { platform: code, profile_id: id, updated_at: bigint, document });

  return [
    table(
      'profiles',
      ['platform', 'id'],
      {
        platform: code,
        id,
        handle: nullable(bytes(765)),
        followers: bigint,
        updated_at: bigint,
        last_active_at: bigint,
        document,
      },
      {
        profiles_by_handle: ['platform', 'handle'],
        profiles_by_followers: ['platform', 'followers', 'id'],
        profiles_by_updated_at: ['platform', 'updated_at', 'id'],
        profiles_by_last_active_at: ['platform', 'last_active_at', 'id'],
      },
    ),
    table(
      'content',
      ['platform', 'created_at', 'content_id'],
      { platform: code, created_at: bigint, content_id: id, profile_id: nullable(id), kind: code, document },
      {
        content_by_kind: ['platform', 'kind', 'created_at', 'content_id'],
        content_by_profile: ['platform', 'profile_id', 'created_at', 'content_id'],
        content_by_profile_kind: ['platform', 'profile_id', 'kind', 'created_at', 'content_id'],
      },
      { content_by_id: ['platform', 'content_id'] },
      true,
    ),
    table(
      'game_content',
      ['platform', 'game_id', 'created_at', 'content_id'],
      { platform: code, game_id: id, created_at: bigint, content_id: id, kind: code, document: nullable(document) },
      { game_content_by_kind: ['platform', 'game_id', 'kind', 'created_at', 'content_id'] },
      {},
      true,
    ),
    table(
      'games',
      ['num'],
      {
        num: { ...integer, isGenerated: true, generationStrategy: 'increment' },
        id,
        name: bytes(1000),
        live_platform_id: nullable(id),
        video_platform_id: nullable(id),
        unpopularity: bigint,
        revision: bigint,
        document,
      },
      {
        games_by_live_platform_id: ['live_platform_id', 'id'],
        games_by_video_platform_id: ['video_platform_id', 'id'],
        games_by_popularity: ['unpopularity', 'name', 'id'],
        games_by_revision: ['revision', 'num'],
      },
      { games_by_id: ['id'] },
    ),
    creatorDocuments('creator_analyses'),
    creatorDocuments('audience_analyses'),
    creatorDocuments('social_links'),
    creatorDocuments('emails'),
    table(
      'social_link_targets',
      ['target_platform', 'target_id', 'platform', 'profile_id'],
      { target_platform: code, target_id: id, platform: code, profile_id: id },
      { social_link_targets_by_owner: ['platform', 'profile_id'] },
    ),
    table(
      'api_keys',
      ['id'],
      {
        id: bytes(32),
        name: bytes(800),
        hash: bytes(64),
        rate_limit: nullable(integer),
        created_at: bigint,
        rotated_at: nullable(bigint),
        revoked_at: nullable(bigint),
      },
      {},
      { api_keys_by_hash: ['hash'] },
    ),
    table('secrets', ['name'], { name: bytes(64), value: bytes(255) }),
    table('usage_journal', ['day', 'first_at', 'group_id'], {
      day: integer,
      first_at: bigint,
      group_id: bytes(36),
      document,
    }),
    table(
      'usage_totals',
      ['key_id', 'day', 'operation'],
      { key_id: bytes(32), day: integer, operation: bytes(32), requests: bigint, quota_units: bigint, credits: bigint },
      { usage_totals_by_day: ['day', 'key_id', 'operation'] },
    ),
    table('forgotten_profiles', ['platform', 'profile_id'], { platform: code, profile_id: id, forgotten_at: bigint }),
    table('counters', ['name'], { name: bytes(64), value: bigint }),
  ];
}

const nullable = (column: ColumnType) => ({ ...column, isNullable: true });

function table(
  name: string,
  key: readonly string[],
  columns: Record<string, Omit<TableColumnOptions, 'name'>>,
  indices: Record<string, string[]> = {},
  uniqueIndices: Record<string, string[]> = {},
  withoutRowid = false,
): Table {
  const index =
    (isUnique: boolean) =>
    ([indexName, columnNames]: [string, string[]]): TableIndexOptions => ({
      name: indexName,
      columnNames,
      isUnique,
    });
  return new Table({
    name,
    withoutRowid,
    columns: Object.entries(columns).map(([column, options]) => ({
      name: column,
      isPrimary: key.includes(column),
      ...options,
    })),
    indices: [...Object.entries(indices).map(index(false)), ...Object.entries(uniqueIndices).map(index(true))],
  });
}
