import { z } from 'zod';
import type { Tag } from '../../features/content/content.js';
import { Kind } from '../reading/kind.js';
import { count, id, instant, text, truth } from '../reading/members.js';
import { languageOf } from './channels.js';
import type { KindMapper } from './kinds.js';
import { gameOf, pageOf } from './pages.js';

/** Texts as a list; rows of a CSV file hold it in one text, as Python or JSON writes it. */
const tags = z.union([z.array(z.string()), z.string()], { error: 'must be an array of strings' }).nullish();

const kind = new Kind(
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
    is_mature: truth,
    // Collections of streams carry the channel's counts in each row.
    follow_count: count,
    total_views: count,
  },
  ['type', 'thumbnail_url'],
);

/** `GET /helix/streams`: a look at a broadcast while it is live. */
export const streams: KindMapper = {
  path: '/helix/streams',
  isOne: (item) => 'viewer_count' in item && 'started_at' in item && 'user_id' in item,
  map(item, place, found) {
    const stream = kind.read(item, place, found);
    const contentId = stream && found.idOf(stream.id, place, 'id');
    const userId = contentId && found.idOf(stream.user_id, place, 'user_id');
    if (!userId) return;
    const { observedAt } = found;
    const game = gameOf(stream.game_id, stream.game_name);
    const viewers = stream.viewer_count ?? null;
    found.content(
      'live_platform',
      contentId,
      { id: userId },
      {
        type: 'stream',
        title: stream.title,
        created_at: stream.started_at,
        url: pageOf(stream.user_login),
        categories:
          game === null
            ? []
            : [{ ...game, type: 'live_platform_game', gamedb_id: null, gamedb_name: null, gamedb_slug: null }],
        tags: tagsOf(stream.tags, stream.tag_ids),
        // A look without a time cannot be averaged with others, but is one.
        statistics: observedAt === null && viewers !== null ? { viewers: { avg: viewers, max: viewers } } : {},
      },
    );
    if (observedAt !== null && viewers !== null) {
      found.add({ kind: 'snapshot', platform: 'live_platform', contentId, at: observedAt, viewers, game });
    }
    found.profile('live_platform', userId, {
      name: stream.user_login,
      display_name: stream.user_name,
      url: pageOf(stream.user_login),
      last_active_at: observedAt?.toISOString(),
      statistics: { followers: stream.follow_count, views_estimated: stream.total_views },
    });
    // The channel itself knows better: what a stream says of it counts where nothing else does.
    const language = languageOf(stream.language);
    if (language || typeof stream.is_mature === 'boolean') {
      found.profile(
        'live_platform',
        userId,
        { language: language ?? undefined, is_mature: stream.is_mature ?? undefined },
        { observedAt: null },
      );
    }
  },
};

type Listed = string | readonly string[] | null | undefined;

/** Tags are their own IDs; those of before 2023 are IDs without a name. */
function tagsOf(names: Listed, ids: Listed): Tag[] | undefined {
  if (names !== undefined) return listed(names).map((name) => ({ id: name, type: 'live_platform_tag', name }));
  if (ids === undefined) return undefined;
  return listed(ids).map((tagId) => ({ id: tagId, type: 'live_platform_tag', name: null }));
}

function listed(value: string | readonly string[] | null): readonly string[] {
  if (value === null) return [];
  if (typeof value !== 'string') return value.filter((name) => name !== '');
  return Array.from(value.matchAll(/'([^']*)'|"([^"]*)"/g), ([, single, double]) => single ?? double ?? '').filter(
    (name) => name !== '',
  );
}
