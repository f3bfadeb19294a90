import type { DocumentContext, Mapped, Mapper } from '../fragment.js';
import { Findings } from '../reading/findings.js';
import { join } from '../reading/place.js';
import { eachOf, inner, isItem, type Item, shown } from '../reading/responses.js';
import { mapChannel } from './channels.js';
import { mapPlaylistItem } from './playlist-items.js';
import { mapVideoCategory } from './video-categories.js';
import { isFlat, mapVideo } from './videos.js';

type MapItem = (item: Item, place: string, found: Findings, context: DocumentContext) => void;

const KINDS: ReadonlyMap<unknown, MapItem> = new Map<unknown, MapItem>([
  ['youtube#channel', mapChannel],
  ['youtube#video', mapVideo],
  ['youtube#playlistItem', mapPlaylistItem],
  ['youtube#videoCategory', mapVideoCategory],
  // Titles are escaped and descriptions cut off in results of a search: they are good for IDs only.
  ['youtube#searchResult', (_item, _place, found) => found.skip('search result')],
]);

/** The YouTube Data API. Every resource says what it is. */
export const youtube: Mapper = {
  source: 'youtube',

  recognises: (document) =>
    isItem(document) &&
    ((typeof document.kind === 'string' && document.kind.startsWith('youtube#')) || isFlat(document)),

  map(document, context): Mapped {
    const found = new Findings(context.fetchedAt);
    if (isItem(document)) mapResponse(document, found, context);
    return found;
  },
};

function mapResponse(document: Item, found: Findings, context: DocumentContext): void {
  const error = inner(document, 'error');
  if (error !== null)
    return found.reject('', `an error response of YouTube: ${shown(error.code)} ${shown(error.message)}`);
  eachOf(document, 'items', found, (item, place) => {
    const map = isFlat(item) ? mapVideo : KINDS.get(item.kind);
    if (map !== undefined) map(item, place, found, context);
    else if (typeof item.kind === 'string') found.skip(item.kind);
    else found.reject(join(place, ['kind']), 'is missing');
  });
}
