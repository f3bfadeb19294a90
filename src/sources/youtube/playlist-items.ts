import type { DocumentContext } from '../fragment.js';
import type { Findings } from '../reading/findings.js';
import { Kind } from '../reading/kind.js';
import { id, part } from '../reading/members.js';
import type { Item } from '../reading/responses.js';

const kind = new Kind(
  'playlistItem',
  {
    id,
    contentDetails: part({ videoId: id }),
    snippet: part({ playlistId: id, resourceId: part({ videoId: id }) }),
  },
  ['kind', 'etag', 'status'],
);

/** Lists that each channel has and that hold one form only, by the beginning of their ID. */
const FORMS = { UUSH: 'short', UULF: 'long', UULV: 'stream' } as const;

/** An entry of a list: proof of the form, if it is such a list; otherwise only an ID. */
export function mapPlaylistItem(item: Item, place: string, found: Findings, { url }: DocumentContext): void {
  const entry = kind.read(item, place, found);
  if (entry === null) return;
  const videoId = entry.contentDetails?.videoId ?? entry.snippet?.resourceId?.videoId;
  const list = entry.snippet?.playlistId ?? url?.searchParams.get('playlistId') ?? '';
  const type = FORMS[list.slice(0, 4) as keyof typeof FORMS] as (typeof FORMS)[keyof typeof FORMS] | undefined;
  if (!videoId || type === undefined) return found.skip('playlist item');
  found.add({ kind: 'form-proof', platform: 'video_platform', contentId: videoId, type });
}
