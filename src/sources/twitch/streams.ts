import * as z from 'zod';
import type { Tag } from '../../features/content/content.js';
import { DocumentSchema } from '../reading/document-schema.js';
import { count, id, instant, text, booleanOrText } from '../reading/member-schemas.js';
import { normalizeLanguage } from './channels.js';
import type { CallMapper } from './call-mapper.js';
import { createStreamGame, channelUrl } from './urls.js';

/** Array of texts. CSV rows contain it as one text, in Python or JSON syntax. */
const tags = z.union([z.array(z.string()), z.string()], { error: 'must be an array of strings' }).nullish();

const kind = new DocumentSchema(
  'streams',
  {
    id,
    user_id: id,
    user_login: text,
    user_name: text,
    game_id: id,
    game_name: text,
    title: text,
    tags,
    tag_ids: tags,
    viewer_count: count,
    started_at: instant,
    language: text,
    is_mature: booleanOrText,
    // Published collections of streams repeat the channel's counts in each row.
    follow_count: count,
    total_views: count,
  },
  ['type', 'thumbnail_url'],
);

/** Maps `GET /helix/streams`: a snapshot of a live stream. */
export const streams: CallMapper = {
  path: '/helix/streams',
  matches: (item) => 'viewer_count' in item && 'started_at' in item && 'user_id' in item,
  map(item, itemPath, findings) {
    const stream = kind.parse(item, itemPath, findings);
    const contentId = stream && findings.requireId(stream.id, itemPath, 'id');
    const userId = contentId && findings.requireId(stream.user_id, itemPath, 'user_id');
    if (!userId) return;
    const { observedAt } = findings;
    const game = createStreamGame(stream.game_id, stream.game_name);
    const viewers = stream.viewer_count ?? null;
    findings.addContent(
      'live_platform',
      contentId,
      { id: userId },
      {
        type: 'stream',
        title: stream.title,
        created_at: stream.started_at,
        url: channelUrl(stream.user_login),
        categories:
          game === null
            ? []
            : [{ ...game, type: 'live_platform_game', gamedb_id: null, gamedb_name: null, gamedb_slug: null }],
        tags: tagsOf(stream.tags, stream.tag_ids),
        // A snapshot without a time cannot be averaged with others, so it sets the statistics itself.
        statistics: observedAt === null && viewers !== null ? { viewers: { avg: viewers, max: viewers } } : {},
      },
    );
    if (observedAt !== null && viewers !== null) {
      findings.add({ kind: 'snapshot', platform: 'live_platform', contentId, at: observedAt, viewers, game });
    }
    findings.addProfile('live_platform', userId, {
      name: stream.user_login,
      display_name: stream.user_name,
      url: channelUrl(stream.user_login),
      last_active_at: observedAt?.toISOString(),
      statistics: { followers: stream.follow_count, views_estimated: stream.total_views },
    });
    // Undated, so that any observation of the channel itself wins over the stream's values.
    const language = normalizeLanguage(stream.language);
    if (language || typeof stream.is_mature === 'boolean') {
      findings.addProfile(
        'live_platform',
        userId,
        { language: language ?? undefined, is_mature: stream.is_mature ?? undefined },
        { observedAt: null },
      );
    }
  },
};

type TextList = string | readonly string[] | null | undefined;

/** A tag's name is its ID. Responses from before 2023 contain only IDs without names. */
function tagsOf(names: TextList, ids: TextList): Tag[] | undefined {
  if (names !== undefined) return toList(names).map((name) => ({ id: name, type: 'live_platform_tag', name }));
  if (ids === undefined) return undefined;
  return toList(ids).map((tagId) => ({ id: tagId, type: 'live_platform_tag', name: null }));
}

function toList(value: string | readonly string[] | null): readonly string[] {
  if (value === null) return [];
  if (typeof value !== 'string') return value.filter((name) => name !== '');
  return Array.from(value.matchAll(/'([^']*)'|"([^"]*)"/g), ([, single, double]) => single ?? double ?? '').filter(
    (name) => name !== '',
  );
}
