import createClient from 'openapi-fetch';
import type { paths } from './openapi-fetch-schema.js';

const { BASE_URL = '', API_KEY = '', HANDLE = '' } = process.env;

const client = createClient<paths>({ baseUrl: BASE_URL, headers: { 'x-api-key': API_KEY } });
const platform = 'live_platform';

const found = await client.POST('/platforms/{platform}/profiles/lookup', {
  params: { path: { platform } },
  body: { handles: [HANDLE] },
});
const profile_id = found.data?.payload[0]?.id;
if (profile_id === undefined) throw new Error(found.error?.error.message ?? 'nobody has the handle');
const path = { platform, profile_id } as const;

const profile = await client.GET('/platforms/{platform}/profiles/{profile_id}', { params: { path } });
if (profile.data === undefined) throw new Error(profile.error.error.message);

const items: string[] = [];
let pages = 0;
let cursor: string | null = null;
do {
  const query: { limit: number; cursor?: string } = cursor === null ? { limit: 3 } : { limit: 3, cursor };
  const page = await client.GET('/platforms/{platform}/profiles/{profile_id}/content', { params: { path, query } });
  if (page.data === undefined) throw new Error(page.error.error.message);
  items.push(...page.data.payload.map(({ content_id }) => content_id));
  pages += 1;
  cursor = page.data.paging.next_cursor;
} while (cursor !== null);

const analysis = await client.GET('/platforms/{platform}/profiles/{profile_id}/analysis', { params: { path } });
if (analysis.data === undefined) throw new Error(analysis.error.error.message);

process.stdout.write(
  JSON.stringify({
    id: profile_id,
    followers: profile.data.payload.statistics.followers,
    pages,
    items,
    rating: analysis.data.payload.mpaa?.rating,
  }),
);
