import { client } from './hey-api-client/client.gen';
import { analysisGet, contentByProfile, profilesGet, profilesLookup } from './hey-api-client/sdk.gen';

const { BASE_URL = '', API_KEY = '', HANDLE = '' } = process.env;

client.setConfig({ baseUrl: BASE_URL, auth: () => API_KEY, throwOnError: true });
const platform = 'live_platform';

const found = await profilesLookup({ path: { platform }, body: { handles: [HANDLE] }, throwOnError: true });
const profile_id = found.data.payload[0]?.id;
if (profile_id === undefined) throw new Error('nobody has the handle');
const path = { platform, profile_id } as const;

const profile = await profilesGet({ path, throwOnError: true });

const items: string[] = [];
let pages = 0;
let cursor: string | null = null;
do {
  const query: { limit: number; cursor?: string } = cursor === null ? { limit: 3 } : { limit: 3, cursor };
  const { data } = await contentByProfile({ path, query, throwOnError: true });
  items.push(...data.payload.map(({ content_id }) => content_id));
  pages += 1;
  cursor = data.paging.next_cursor;
} while (cursor !== null);

const analysis = await analysisGet({ path, throwOnError: true });

process.stdout.write(
  JSON.stringify({
    id: profile_id,
    followers: profile.data.payload.statistics.followers,
    pages,
    items,
    rating: analysis.data.payload.mpaa?.rating,
  }),
);
