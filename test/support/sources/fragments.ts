import fc from 'fast-check';
import { liveGame } from '../records/builders.js';

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-01-01T00:00:00.000Z');

/** Few IDs, values and times, so that fragments concern the same records and contradict each other. */
const id = fc.constantFrom('1', '2', '10', 'ü', 'a b');
const handle = fc.constantFrom('anna', 'Bert', '@cleo', 'dora');
const word = fc.constantFrom(null, '', 'x', 'y', 'half \ud800', '\u0000', '日本');
const moment = fc.integer({ min: 0, max: 3 }).map((days) => new Date(START_MS + days * DAY_MS).toISOString());
const observedAt = fc.oneof(fc.constant(null), moment);
const count = fc.constantFrom(null, 0, 5, 9_007_199_254_740_991);
const platform = fc.constantFrom('live_platform', 'microblog_platform');

const some = <T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(members, { requiredKeys: [] });

const profile = fc.record({
  kind: fc.constant('profile'),
  platform,
  id,
  observedAt,
  known: some({
    name: fc.oneof(fc.constant(null), handle),
    display_name: word,
    description: word,
    is_mature: fc.constantFrom(null, true, false),
    statistics: some({ followers: count, views_estimated: count }),
    last_active_at: fc.oneof(fc.constant(null), moment),
  }),
});

const category = fc.constantFrom(liveGame('g1'), { ...liveGame('g2'), name: null }, {
  id: '20',
  type: 'video_platform_category',
  name: null,
  gamedb_id: null,
  gamedb_name: null,
  gamedb_slug: null,
} as const);

const sum = fc.record({ sum: count });

const content = fc.record({
  kind: fc.constant('content'),
  platform,
  id,
  observedAt,
  known: fc
    .tuple(
      fc.record({ type: fc.constantFrom('stream', 'video', 'short', 'long') }),
      some({
        title: word,
        created_at: moment,
        ended_at: fc.oneof(fc.constant(null), moment),
        duration: fc.constantFrom(null, 60_000, 7_200_000),
        categories: fc.array(category, { maxLength: 2 }),
        tags: fc.constantFrom([], [{ id: 't', type: 'live_platform_tag', name: 't' }]),
        statistics: some({ views: sum, likes: sum }),
      }),
    )
    .map(([type, others]) => ({ ...others, ...type })),
  author: fc.oneof(fc.constant(null), fc.record({ id }), fc.record({ handle })),
});

const snapshot = fc.record({
  kind: fc.constant('snapshot'),
  platform: fc.constant('live_platform'),
  contentId: id,
  at: fc.integer({ min: 0, max: 4 }).map((step) => new Date(START_MS + step * 300_000).toISOString()),
  viewers: fc.integer({ min: 0, max: 3 }),
  game: fc.constantFrom(null, { id: 'g1', name: null }, { id: 'g2', name: 'Two' }),
});

const game = fc.record({
  kind: fc.constant('game'),
  id: fc.constantFrom('7', '8'),
  observedAt,
  known: fc
    .tuple(
      fc.record({ name: fc.constantFrom('Seven', 'Eight') }),
      some({ slug: word, total_rating_count: count, first_release_date: moment }),
    )
    .map(([name, others]) => ({ ...others, ...name })),
});

const gameLink = fc.record({
  kind: fc.constant('game-link'),
  platform: fc.constant('live_platform'),
  platformId: fc.constantFrom('g1', 'g2'),
  gameId: fc.constantFrom('7', '8', '9'),
  statedBy: fc.constantFrom('platform', 'gamedb'),
});

const categoryName = fc.record({
  kind: fc.constant('category-name'),
  platform,
  id: fc.constantFrom('20', 'g2'),
  name: fc.constantFrom('A', 'B'),
});

const formProof = fc.record({
  kind: fc.constant('type-proof'),
  platform,
  contentId: id,
  type: fc.constantFrom('short', 'long', 'stream'),
});

const link = fc.record({
  kind: fc.constant('link'),
  platform,
  profileId: id,
  url: fc.constantFrom('https://www.twitch.tv/anna', 'https://x.com/Bert', 'x.com/dora', 'https://example.com/'),
});

/** Documents of the plain source, each with a few fragments. */
export const documents = fc.array(
  fc.record({
    plain: fc.array(fc.oneof(profile, content, snapshot, game, gameLink, categoryName, formProof, link), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Documents of the plain source with only profiles. */
export const profiles = fc.array(fc.record({ plain: fc.array(profile, { minLength: 1, maxLength: 3 }) }), {
  minLength: 1,
  maxLength: 8,
});
