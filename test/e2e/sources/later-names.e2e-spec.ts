import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { uniqueId } from '../../support/records/builders.js';
import { runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { toNdjson } from '../../support/sources/sources.js';

const video = (id: string, categoryId: string) => ({
  kind: 'youtube#video',
  id,
  snippet: { publishedAt: '2026-01-31T09:30:00Z', channelId: `UC${id}`, title: 'Mock', categoryId },
});

const category = (id: string, title: string) => ({ kind: 'youtube#videoCategory', id, snippet: { title } });

describeService('ingest of a file of category names', (service) => {
  const ingest = (...documents: readonly object[]) => {
    const file = join(service().testDatabase.folder, `${uniqueId()}.ndjson`);
    writeFileSync(file, toNdjson(...documents));
    return runForJson(service().testDatabase, 'ingest', 'youtube', file);
  };
  const nameOf = async (id: string): Promise<string | null> =>
    (await service().get(`/platforms/video_platform/content/${id}`)).body.payload.categories[0].name;

  it('names the videos that were stored before it, and only those of its categories', async () => {
    const [unnamed, renamed, other] = [uniqueId(), uniqueId(), uniqueId()];
    await ingest(video(unnamed, '987'), video(renamed, '27'), video(other, '10'));
    expect([await nameOf(unnamed), await nameOf(renamed), await nameOf(other)]).toEqual([null, 'Education', 'Music']);
    const { records } = await ingest(category('987', 'Knitting'), category('27', 'Bildung'));
    expect(records).toMatchObject({ content: 2 });
    expect([await nameOf(unnamed), await nameOf(renamed), await nameOf(other)]).toEqual([
      'Knitting',
      'Bildung',
      'Music',
    ]);
  });

  it('changes nothing when it is ingested again', async () => {
    const id = uniqueId();
    await ingest(video(id, '986'));
    await ingest(category('986', 'Weaving'));
    const { records } = await ingest(category('986', 'Weaving'));
    expect([records, await nameOf(id)]).toEqual([{}, 'Weaving']);
  });
});
