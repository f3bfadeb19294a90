import { UNKNOWN_SORT_VALUE } from '../../../src/database/columns.js';
import type { FeedKind } from '../../../src/features/changes/feeds.js';
import { platformCode, type Platform } from '../../../src/model/platforms.js';
import { withoutSqlCheck } from '../sql/sql-list.js';
import type { TestService } from '../service/test-service.js';

const SELECTS: Readonly<Record<FeedKind, string>> = {
  profiles: 'SELECT id, document, 0 AS updated_at FROM profiles',
  content: 'SELECT content_id AS id, document, 0 AS updated_at FROM content',
  analysis: 'SELECT profile_id AS id, document, updated_at FROM creator_analyses',
  audience: 'SELECT profile_id AS id, document, updated_at FROM audience_analyses',
  socials: 'SELECT profile_id AS id, document, 0 AS updated_at FROM social_links',
  emails: 'SELECT profile_id AS id, document, updated_at FROM emails',
};

const DATED: readonly FeedKind[] = ['analysis', 'audience', 'emails'];

interface StoredRow {
  readonly id: unknown;
  readonly document: unknown;
  readonly updated_at: unknown;
}

/** Returns every stored record of a kind and platform, in the form of `Mirror.records`. */
export async function storedRecords(
  { database }: Pick<TestService, 'database'>,
  kind: FeedKind,
  platform: Platform = 'live_platform',
): Promise<Map<string, unknown>> {
  const sql = `${SELECTS[kind]} WHERE platform = ?`;
  const rows = await withoutSqlCheck(() =>
    database.all<StoredRow>({ sql }, [platformCode(platform)], { source: 'primary' }),
  );
  return new Map(
    rows.map(({ id, document, updated_at: at }) => {
      const record: unknown = JSON.parse(String(document));
      const updated_at = Number(at) === UNKNOWN_SORT_VALUE ? null : new Date(Number(at)).toISOString();
      return [String(id), DATED.includes(kind) ? { record, updated_at } : record];
    }),
  );
}
