import type { DocumentContext, MappingResult, Mapper } from '../fragment.js';
import { isObject, type JsonObject } from '../json-object.js';
import { Findings } from '../reading/findings.js';
import { joinPath } from '../reading/member-path.js';
import { forEachItem, getObject, formatValue } from '../reading/responses.js';
import { mapChannel } from './channels.js';
import { mapPlaylistItem } from './playlist-items.js';
import { mapVideoCategory } from './video-categories.js';
import { isFlat, mapVideo } from './videos.js';

type MapItem = (item: JsonObject, itemPath: string, findings: Findings, context: DocumentContext) => void;

const KINDS: ReadonlyMap<unknown, MapItem> = new Map<unknown, MapItem>([
  ['youtube#channel', mapChannel],
  ['youtube#video', mapVideo],
  ['youtube#playlistItem', mapPlaylistItem],
  ['youtube#videoCategory', mapVideoCategory],
  // Search results have escaped titles and truncated descriptions, so only their IDs are usable.
  ['youtube#searchResult', (_item, _place, findings) => findings.skip('search result')],
]);

/** Mapper of the YouTube Data API. Every resource names its kind. */
export const youtube: Mapper = {
  source: 'youtube',

  recognises: (document) =>
    isObject(document) &&
    ((typeof document.kind === 'string' && document.kind.startsWith('youtube#')) || isFlat(document)),

  map(document, context): MappingResult {
    const findings = new Findings(context.fetchedAt);
    if (isObject(document)) mapResponse(document, findings, context);
    return findings;
  },
};

function mapResponse(document: JsonObject, findings: Findings, context: DocumentContext): void {
  const error = getObject(document, 'error');
  if (error !== null)
    return findings.reject('', `error response from YouTube: ${formatValue(error.code)} ${formatValue(error.message)}`);
  forEachItem(document, 'items', findings, (item, itemPath) => {
    const map = isFlat(item) ? mapVideo : KINDS.get(item.kind);
    if (map !== undefined) map(item, itemPath, findings, context);
    else if (typeof item.kind === 'string') findings.skip(item.kind);
    else findings.reject(joinPath(itemPath, ['kind']), 'is missing');
  });
}
