import type { MappingResult, Mapper } from '../fragment.js';
import { isObject, type JsonObject } from '../json-object.js';
import { Findings } from '../reading/findings.js';
import { getObject, formatValue } from '../reading/responses.js';
import { mapPost } from './posts.js';
import { mapProfile } from './profiles.js';

/** Reports whether a document is a bare post, as old versions wrote it. */
const isBarePost = (item: JsonObject): boolean =>
  'shortcode' in item &&
  ['taken_at_timestamp', 'edge_media_preview_like', 'edge_media_to_caption', 'edge_media_to_comment'].some(
    (name) => name in item,
  );

/** Mapper of instaloader's metadata files. */
export const instaloader: Mapper = {
  source: 'instaloader',

  recognises: (document) =>
    isObject(document) && ((isObject(document.instaloader) && isObject(document.node)) || isBarePost(document)),

  map(document, context): MappingResult {
    const findings = new Findings(context.fetchedAt);
    if (isObject(document)) mapFile(document, findings);
    return findings;
  },
};

function mapFile(document: JsonObject, findings: Findings): void {
  const node = getObject(document, 'node');
  if (node === null) return mapPost(document, '', findings);
  const type = getObject(document, 'instaloader')?.node_type ?? 'Post';
  if (type === 'Post') mapPost(node, 'node', findings);
  else if (type === 'Profile') mapProfile(node, 'node', findings);
  else findings.skip(`instaloader ${formatValue(type)}`);
}
