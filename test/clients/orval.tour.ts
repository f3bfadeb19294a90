import { analysisGet, contentByProfile, profilesGet, profilesLookup } from './orval-client';

const { API_KEY = '', HANDLE = '' } = process.env;

const platform = 'live_platform';
const options: RequestInit = { headers: { 'x-api-key': API_KEY } };

const found = await profilesLookup(platform, { handles: [HANDLE] }, options);
if (found.status !== 200) throw new Error(found.data.error.message);
const id = found.data.payload[0]?.id;
if (id === undefined) throw new Error('nobody has the handle');

const profile = await profilesGet(platform, id, undefined, options);
if (profile.status !== 200) throw new Error(`${profile.status}`);

const items: string[] = [];
let pages = 0;
let cursor: string | null = null;
do {
  const query: { limit: number; cursor?: string } = cursor === null ? { limit: 3 } : { limit: 3, cursor };
  const page: Awaited<ReturnType<typeof contentByProfile>> = await contentByProfile(platform, id, query, options);
  if (page.status !== 200) throw new Error(`${page.status}`);
  items.push(...page.data.payload.map(({ content_id }) => content_id));
  pages += 1;
  cursor = page.data.paging.next_cursor;
} while (cursor !== null);

const analysis = await analysisGet(platform, id, options);
if (analysis.status !== 200) throw new Error(`${analysis.status}`);

process.stdout.write(
  JSON.stringify({
    id,
    followers: profile.data.payload.statistics.followers,
    pages,
    items,
    rating: analysis.data.payload.mpaa?.rating,
  }),
);
