import type { Mapped, Mapper } from '../fragment.js';
import { Findings } from '../reading/findings.js';
import { inner, isItem, type Item, shown } from '../reading/responses.js';
import { mapPost } from './posts.js';
import { mapProfile } from './profiles.js';

/** The files of old versions are the post itself. */
const isBarePost = (item: Item): boolean =>
  'shortcode' in item &&
  ['taken_at_timestamp', 'edge_media_preview_like', 'edge_media_to_caption', 'edge_media_to_comment'].some(
    (name) => name in item,
  );

/** The metadata files of instaloader. */
export const instaloader: Mapper = {
  source: 'instaloader',

  recognises: (document) =>
    isItem(document) && ((isItem(document.instaloader) && isItem(document.node)) || isBarePost(document)),

  map(document, context): Mapped {
    const found = new Findings(context.fetchedAt);
    if (isItem(document)) mapFile(document, found);
    return found;
  },
};

function mapFile(document: Item, found: Findings): void {
  const node = inner(document, 'node');
  if (node === null) return mapPost(document, '', found);
  const type = inner(document, 'instaloader')?.node_type ?? 'Post';
  if (type === 'Post') mapPost(node, 'node', found);
  else if (type === 'Profile') mapProfile(node, 'node', found);
  else found.skip(`instaloader ${shown(type)}`);
}
