import type { Reader } from '../../database/database.js';
import { ContentEntity } from '../../features/content/content.entity.js';
import type { Category, Content } from '../../features/content/content.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import type { AssembledRecord, Assembly } from '../../sources/assemble/assembly.js';

/** Items per read. Each can have 1 MiB. */
const READ_ITEMS = 128;

/**
 * Finds stored content whose category names differ from those of this run. It reads all content of a platform, so it looks only at
 * platforms of which the run has names of categories, but no content.
 * @returns batches of records without fragments
 */
export async function* findRenamedContent(reader: Reader, assembly: Assembly): AsyncGenerator<AssembledRecord[]> {
  for (const platform of assembly.platformsWithNamesOnly()) {
    const isRenamed = (category: Category): boolean => {
      const name = assembly.findCategory(platform, category.id, category.type === `${platform}_game`)?.name ?? null;
      return name !== null && name !== category.name;
    };
    for await (const items of readContent(reader, platform)) {
      const renamed = items.filter(({ categories, chapters }) =>
        [...categories, ...chapters.flatMap((chapter) => chapter.categories)].some(isRenamed),
      );
      if (renamed.length > 0) yield renamed.map((item) => assembly.supplement('content', platform, item.content_id));
    }
  }
}

async function* readContent(reader: Reader, platform: Platform): AsyncGenerator<Content[]> {
  const columns = ['document'] as const;
  const list = reader.list({ entity: ContentEntity, filters: ['platform'], keys: ['content_id'], columns });
  const filters = [platformCode(platform)];
  for await (const rows of reader.pages(list, { filters, limit: READ_ITEMS })) {
    yield rows.map(({ document }) => JSON.parse(String(document)) as Content);
  }
}
