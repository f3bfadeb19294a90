import type { Mapped, Mapper } from '../fragment.js';
import { Findings } from '../reading/findings.js';
import { join } from '../reading/place.js';
import { isItem, type Item, shown } from '../reading/responses.js';
import { info, type Info } from './info.js';
import { EXTRACTORS, mapYoutubeChannel } from './items.js';

/** The `info.json` of yt-dlp, as a file, a line, or a list with entries. */
export const ytDlp: Mapper = {
  source: 'yt-dlp',

  recognises: (document) =>
    isItem(document) &&
    (typeof document.extractor_key === 'string' || (typeof document.ie_key === 'string' && document._type === 'url')),

  map(document, context): Mapped {
    const found = new Findings(context.fetchedAt, false);
    if (isItem(document)) mapInfo(document, '', found);
    return found;
  },
};

const LISTS: ReadonlySet<unknown> = new Set(['playlist', 'multi_video']);
const FLAT: ReadonlySet<unknown> = new Set(['url', 'url_transparent']);

function mapInfo(item: Item, place: string, all: Findings): void {
  const found = typeof item.epoch === 'number' ? all.at(new Date(item.epoch * 1000)) : all;
  if (FLAT.has(item._type)) return mapFlat(item, found);
  const read = info.read(item, place, found);
  if (read === null) return;
  if (LISTS.has(item._type)) return mapList(item, read, place, found);
  const extractor = read.extractor_key ?? '';
  const map = EXTRACTORS.get(extractor);
  if (map === undefined) return found.skip(`extractor ${extractor || 'unknown'}`);
  const id = found.idOf(read.id, place, 'id');
  if (id !== null) map(read, id, found);
}

/** An entry that was not looked at: an ID, a title, and at times the form. */
function mapFlat({ ie_key, id, url }: Item, found: Findings): void {
  if (ie_key === 'Youtube' && typeof id === 'string' && id !== '' && shown(url).includes('/shorts/')) {
    found.add({ kind: 'form-proof', platform: 'video_platform', contentId: id, type: 'short' });
  }
  found.skip('flat entry');
}

function mapList(item: Item, list: Info, place: string, found: Findings): void {
  if (list.extractor_key === 'Instagram') return found.skip('album');
  if (list.extractor_key === 'YoutubeTab' && list.channel_id) mapTab(list, list.channel_id, found);
  const entries = Array.isArray(item.entries) ? (item.entries as unknown[]) : [];
  for (const [index, entry] of entries.entries()) {
    if (isItem(entry)) mapInfo(entry, join(place, ['entries', index]), found);
    else found.skip('entry that could not be downloaded');
  }
}

/** A page of a channel. Of a list that somebody made, the description and the pictures are the list's. */
function mapTab(tab: Info, channelId: string, found: Findings): void {
  const isChannel = tab.id === channelId || (tab.id ?? '').startsWith('@');
  const picture = (name: string) => tab.thumbnails?.find((one) => one.id === name)?.url ?? undefined;
  const more = {
    description: tab.description ?? undefined,
    profile_image: picture('avatar_uncropped'),
    banner_image: picture('banner_uncropped'),
  };
  mapYoutubeChannel(tab, channelId, found, isChannel ? more : {});
}
