import type { DocumentContext } from '../fragment.js';
import type { JsonObject } from '../json-object.js';
import type { Findings } from '../reading/findings.js';
import { DocumentSchema } from '../reading/document-schema.js';
import { id, optionalObject } from '../reading/member-schemas.js';

const kind = new DocumentSchema(
  'playlistItem',
  {
    id,
    contentDetails: optionalObject({ videoId: id }),
    snippet: optionalObject({ playlistId: id, resourceId: optionalObject({ videoId: id }) }),
  },
  ['kind', 'etag', 'status'],
);

/** Types of the items in a channel's automatic playlists, by the prefix of the playlist's ID. */
const TYPES_BY_PREFIX = { UUSH: 'short', UULF: 'long', UULV: 'stream' } as const;

/** Maps an item of a playlist. It proves the video's type if the playlist is automatic, and is skipped otherwise. */
export function mapPlaylistItem(
  item: JsonObject,
  itemPath: string,
  findings: Findings,
  { url }: DocumentContext,
): void {
  const playlistItem = kind.parse(item, itemPath, findings);
  if (playlistItem === null) return;
  const videoId = playlistItem.contentDetails?.videoId ?? playlistItem.snippet?.resourceId?.videoId;
  const playlistId = playlistItem.snippet?.playlistId ?? url?.searchParams.get('playlistId') ?? '';
  const type = TYPES_BY_PREFIX[playlistId.slice(0, 4) as keyof typeof TYPES_BY_PREFIX] as
    (typeof TYPES_BY_PREFIX)[keyof typeof TYPES_BY_PREFIX] | undefined;
  if (!videoId || type === undefined) return findings.skip('playlist item');
  findings.add({ kind: 'type-proof', platform: 'video_platform', contentId: videoId, type });
}
