import type { Findings } from '../reading/findings.js';
import { Kind } from '../reading/kind.js';
import { id, part, text } from '../reading/members.js';
import type { Item } from '../reading/responses.js';

const kind = new Kind('videoCategory', { id, snippet: part({ title: text }) }, ['kind', 'etag']);

/** The name of a video category. */
export function mapVideoCategory(item: Item, place: string, found: Findings): void {
  const category = kind.read(item, place, found);
  const categoryId = category && found.idOf(category.id, place, 'id');
  const name = categoryId && found.idOf(category.snippet?.title, place, 'snippet.title');
  if (name) found.add({ kind: 'category-name', platform: 'video_platform', id: categoryId, name });
}
