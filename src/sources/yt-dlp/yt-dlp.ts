import type { MappingResult, Mapper } from '../fragment.js';
import { isObject, type JsonObject } from '../json-object.js';
import { Findings } from '../reading/findings.js';
import { joinPath } from '../reading/member-path.js';
import { formatValue } from '../reading/responses.js';
import { infoSchema, type Info } from './info.js';
import { EXTRACTORS, mapYoutubeChannel } from './items.js';

/** Mapper of yt-dlp's `info.json`: a file, a line, or a playlist with entries. */
export const ytDlp: Mapper = {
  source: 'yt-dlp',

  recognises: (document) =>
    isObject(document) &&
    (typeof document.extractor_key === 'string' || (typeof document.ie_key === 'string' && document._type === 'url')),

  map(document, context): MappingResult {
    const findings = new Findings(context.fetchedAt, false);
    if (isObject(document)) mapInfo(document, '', findings);
    return findings;
  },
};

const PLAYLIST_TYPES: ReadonlySet<unknown> = new Set(['playlist', 'multi_video']);
const FLAT_TYPES: ReadonlySet<unknown> = new Set(['url', 'url_transparent']);

function mapInfo(item: JsonObject, itemPath: string, base: Findings): void {
  const findings = typeof item.epoch === 'number' ? base.withObservedAt(new Date(item.epoch * 1000)) : base;
  if (FLAT_TYPES.has(item._type)) return mapFlat(item, findings);
  const parsed = infoSchema.parse(item, itemPath, findings);
  if (parsed === null) return;
  if (PLAYLIST_TYPES.has(item._type)) return mapList(item, parsed, itemPath, findings);
  const extractor = parsed.extractor_key ?? '';
  const map = EXTRACTORS.get(extractor);
  if (map === undefined) return findings.skip(`extractor ${extractor || 'unknown'}`);
  const id = findings.requireId(parsed.id, itemPath, 'id');
  if (id !== null) map(parsed, id, findings);
}

/** Maps an entry that yt-dlp did not extract: its URL may prove that it is a Short. */
function mapFlat({ ie_key, id, url }: JsonObject, findings: Findings): void {
  if (ie_key === 'Youtube' && typeof id === 'string' && id !== '' && formatValue(url).includes('/shorts/')) {
    findings.add({ kind: 'type-proof', platform: 'video_platform', contentId: id, type: 'short' });
  }
  findings.skip('flat entry');
}

function mapList(item: JsonObject, list: Info, itemPath: string, findings: Findings): void {
  if (list.extractor_key === 'Instagram') return findings.skip('album');
  if (list.extractor_key === 'YoutubeTab' && list.channel_id) mapTab(list, list.channel_id, findings);
  const entries = Array.isArray(item.entries) ? (item.entries as unknown[]) : [];
  for (const [index, entry] of entries.entries()) {
    if (isObject(entry)) mapInfo(entry, joinPath(itemPath, ['entries', index]), findings);
    else findings.skip('entry that could not be downloaded');
  }
}

/** Maps a page of a channel. The description and pictures of a playlist describe the playlist, not the channel. */
function mapTab(tab: Info, channelId: string, findings: Findings): void {
  const isChannel = tab.id === channelId || (tab.id ?? '').startsWith('@');
  const picture = (name: string) => tab.thumbnails?.find((thumbnail) => thumbnail.id === name)?.url ?? undefined;
  const channelMembers = {
    description: tab.description ?? undefined,
    profile_image: picture('avatar_uncropped'),
    banner_image: picture('banner_uncropped'),
  };
  mapYoutubeChannel(tab, channelId, findings, isChannel ? channelMembers : {});
}
