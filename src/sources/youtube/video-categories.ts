import type { JsonObject } from '../json-object.js';
import type { Findings } from '../reading/findings.js';
import { DocumentSchema } from '../reading/document-schema.js';
import { id, optionalObject, text } from '../reading/member-schemas.js';

const kind = new DocumentSchema('videoCategory', { id, snippet: optionalObject({ title: text }) }, ['kind', 'etag']);

/** Maps a video category to its name. */
export function mapVideoCategory(item: JsonObject, itemPath: string, findings: Findings): void {
  const category = kind.parse(item, itemPath, findings);
  const categoryId = category && findings.requireId(category.id, itemPath, 'id');
  const name = categoryId && findings.requireId(category.snippet?.title, itemPath, 'snippet.title');
  if (name) findings.add({ kind: 'category-name', platform: 'video_platform', id: categoryId, name });
}
