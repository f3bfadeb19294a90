import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  RECORD_KINDS,
  parseLine,
  type RecordKind,
  type ImportRecords,
} from '../../../src/operator/import/parse-line.js';
import { ROOT } from '../files/project-root.js';
import { present } from '../present.js';
import type { TestService } from '../service/test-service.js';

type SampleData = { readonly [K in RecordKind]: readonly ImportRecords[K][] };

/** Every record of the sample data. */
export const SAMPLE_DATA = Object.fromEntries(
  RECORD_KINDS.map((kind) => [kind, linesOf(kind).map((line) => recordOf(kind, line))]),
) as unknown as SampleData;

/** Loads the sample data, as `npm start` does. */
export async function loadSampleData(service: TestService): Promise<void> {
  for (const kind of RECORD_KINDS) await service.loadLines(kind, linesOf(kind), true);
  await service.untilSearchable();
}

function linesOf(kind: RecordKind): string[] {
  return readFileSync(join(ROOT, 'sample-data', `${kind}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n');
}

function recordOf<K extends RecordKind>(kind: K, line: string): ImportRecords[K] {
  const parsed = parseLine(kind, line);
  if ('reason' in parsed) throw new Error(`sample-data/${kind}.ndjson: ${parsed.reason}`);
  return parsed.record;
}

/**
 * Parameters and body members by name, for which every operation finds data: those of the first creator with all
 * documents.
 */
export function sampleRequestValues(): Readonly<Record<string, unknown>> {
  const { profiles, content, games, analysis, audience, socials, emails } = SAMPLE_DATA;
  const gameOf = (creator: string) => {
    const played = itemsOf(creator).flatMap(({ categories }) => categories.map(({ id }) => id));
    return games.find((game) => game.video_platform_id !== null && played.includes(game.live_platform_id ?? ''));
  };
  const itemsOf = (creator: string) =>
    content.filter((item) => item.platform === 'live_platform' && item.profile_id === creator);
  const others = profiles.filter((profile) => profile.platform_id === 'live_platform');
  const creator = present(
    others.find(
      ({ id }) =>
        [analysis, audience, socials, emails].every((about) =>
          about.some(({ platform_id, profile_id }) => platform_id === 'live_platform' && profile_id === id),
        ) && gameOf(id) !== undefined,
    ),
  );
  const game = present(gameOf(creator.id));
  const items = itemsOf(creator.id).slice(0, 2);
  const two = [creator, ...others.filter((other) => other !== creator)].slice(0, 2);
  const days = (times: readonly (string | null)[]) => times.flatMap((time) => time?.slice(0, 10) ?? []).toSorted();
  return {
    platform: creator.platform_id,
    profile_id: creator.id,
    content_id: present(items[0]).content_id,
    game_id: game.live_platform_id,
    query: game.name.toLowerCase(),
    exact: true,
    kind: 'profiles',
    from: 'now',
    limit: 2,
    interval: 'month',
    start_date: days(content.map(({ created_at }) => created_at))[0],
    end_date: days(profiles.map(({ updated_at }) => updated_at)).at(-1),
    profile_ids: two.map(({ id }) => id),
    handles: two.map(({ name }, index) => (index === 0 ? `@${name}` : name)),
    content_ids: items.map(({ content_id }) => content_id),
    text: present(creator.display_name?.split(' ')[0]).toLowerCase(),
    filters: { followers: { min: 1000 }, language: [creator.language], has: ['email'] },
    not: { is_mature: true },
    exclude_ids: two.slice(1).map(({ id }) => id),
    count: true,
    facets: ['account_type', 'topics'],
  };
}

/** The latest instant in the sample data. */
export function sampleNow(): number {
  const times = SAMPLE_DATA.profiles.flatMap(({ updated_at }) => updated_at ?? []);
  return Date.parse(present(times.toSorted().at(-1)));
}

/** Returns the last observation of each day in the sample data: that of the profile, unless a line has the end of the day. */
export function historyOfSample(): object[] {
  const lines = new Map<string, object>();
  for (const { platform_id, id: profile_id, updated_at, statistics } of SAMPLE_DATA.profiles) {
    const { followers, views_estimated } = statistics;
    if (updated_at === null || (followers === null && views_estimated === null)) continue;
    const date = updated_at.slice(0, 10);
    const line = { platform_id, profile_id, observed_at: updated_at, date, followers, views_estimated };
    lines.set(`${platform_id} ${profile_id} ${date}`, line);
  }
  for (const { platform_id, profile_id, date, followers, views_estimated } of SAMPLE_DATA.history) {
    const observed_at = `${date}T23:59:59.999Z`;
    const line = { platform_id, profile_id, observed_at, date, followers, views_estimated };
    lines.set(`${platform_id} ${profile_id} ${date}`, line);
  }
  return [...lines.values()];
}
