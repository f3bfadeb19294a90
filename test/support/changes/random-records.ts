import type { FeedKind } from '../../../src/features/changes/feeds.js';
import { aContent, aProfile } from '../records/builders.js';
import { AUDIENCE_ANALYSIS, CREATOR_ANALYSIS, sampleOf } from '../records/reference-shapes.js';

/** Platform of the random records. */
export const P = 'live_platform';

const ANALYSIS = sampleOf(CREATOR_ANALYSIS);
const AUDIENCE = sampleOf(AUDIENCE_ANALYSIS);

/** Returns a function that returns integers below a bound, the same ones for the same seed. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export type Random = ReturnType<typeof randomNumbers>;

/** @param creators number of creators, few enough that writers change the same ones all the time */
export const anId = (random: Random, creators: number): string => `creator ${random(creators)}`;

/** Creates one of a few versions of a random record, so that many are stored already. */
export function aRecord(kind: FeedKind, random: Random, creators: number): object {
  const id = anId(random, creators);
  const version = random(3);
  const owner = { platform_id: P, profile_id: id };
  const date = [null, '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'][version];
  switch (kind) {
    case 'profiles':
      return aProfile({ id, name: `name ${version}` });
    case 'content':
      return aContent({ content_id: `${id} item ${random(3)}`, profile_id: id, title: `title ${version}` });
    case 'analysis':
      return { ...owner, updated_at: date, analysis: ANALYSIS };
    case 'audience':
      return { ...owner, last_updated_at: date, audience: AUDIENCE };
    case 'socials':
      return {
        ...owner,
        links: Array.from({ length: version }, () => ({
          id: anId(random, creators),
          platform_id: P,
          followers: 1,
          name: null,
        })),
      };
    case 'emails':
      return { ...owner, email: `${version}@example.com`, updated_at: date };
  }
}

/** Creates a response of the platform's API about random creators, who can be purged once it is ingested. */
export function aResponse(random: Random, creators: number, users: number, now: number): object {
  const ids = Array.from({ length: users }, () => anId(random, creators));
  const data = ids.map((id) => ({
    id,
    login: `login ${random(3)}`,
    display_name: 'Ada',
    type: '',
    broadcaster_type: 'partner',
    description: '',
    profile_image_url: '',
    offline_image_url: '',
    view_count: 0,
    created_at: '2016-12-14T20:32:28Z',
  }));
  const fetched_at = new Date(now - random(3) * 86_400_000).toISOString();
  return { url: 'https://api.twitch.tv/helix/users', fetched_at, body: { data, pagination: {} } };
}
