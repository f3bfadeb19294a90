import type { JsonObject } from '../json-object.js';
import type { Findings } from '../reading/findings.js';
import { Kind } from '../reading/kind.js';
import { id, part, text } from '../reading/members.js';

const kind = new Kind('videoCategory', { id, snippet: part({ title: text }) }, ['kind', 'etag']);

/** Maps a video category to its name. */
export function mapVideoCategory(item: JsonObject, place: string, findings: Findings): void {
  const category = kind.read(item, place, findings);
  const categoryId = category && findings.idOf(category.id, place, 'id');
  const name = categoryId && findings.idOf(category.snippet?.title, place, 'snippet.title');
  if (name) findings.add({ kind: 'category-name', platform: 'video_platform', id: categoryId, name });
}
