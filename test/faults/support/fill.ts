import { aContent, aGame, aProfile, liveGame } from '../../support/records/builders.js';
import { runBuiltCommand } from '../../support/process/processes.js';

const PROFILES = 500;

/** Loads some records of every kind. @returns paths of requests for them, with several prices */
export async function loadRecords(url: string): Promise<string[]> {
  const numbers = Array.from({ length: PROFILES }, (_, nth) => nth);
  const load = async (kind: string, records: readonly object[]) => {
    const lines = records.map((record) => JSON.stringify(record)).join('\n');
    const { status, err } = await runBuiltCommand(['import', kind, '-'], { DATABASE_URL: url }, lines);
    if (status !== 0) throw new Error(err);
  };
  const profiles = numbers.map((nth) => aProfile({ statistics: { followers: nth, views_estimated: null } }));
  const games = numbers.slice(0, 100).map((nth) => aGame({ name: `Starhaven ${nth}` }));
  await load('profiles', profiles);
  await load('games', games);
  await load(
    'content',
    profiles.flatMap(({ id }, nth) =>
      numbers
        .slice(0, 10)
        .map(() => aContent({ profile_id: id, categories: [liveGame(String(games[nth % 100]?.id))] })),
    ),
  );
  const base = '/platforms/live_platform/profiles';
  return profiles.flatMap(({ id }, nth) => [
    `${base}/${id}`,
    `${base}/${id}`,
    `${base}/${id}/content?limit=5`,
    `${base}?sort=followers&limit=10`,
    `/games/search?query=starhaven%20${nth % 100}`,
    '/usage',
  ]);
}
