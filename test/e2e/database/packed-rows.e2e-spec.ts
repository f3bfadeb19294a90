import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GameContentEntity } from '../../../src/features/content/content.entity.js';
import { TestService } from '../../support/service/test-service.js';

const PAGE = 50;
const ROWS = 60;
const PLATFORM = 1;

/** Documents of several lengths in bytes, with nulls in between. */
const documentOf = (at: number): string | null =>
  at % 7 === 3 ? null : JSON.stringify({ at, text: 'ä☃😀'.repeat(at) });

describe('a page that the embedded database returns packed', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start('sqlite');
    const rows = Array.from({ length: ROWS }, (_, at) => ({
      platform: PLATFORM,
      game_id: 'game',
      created_at: (at * 37) % ROWS,
      content_id: `é☃${at}`,
      kind: 1,
      document: documentOf((at * 37) % ROWS),
    }));
    await service.database.write((writer) => writer.insert(GameContentEntity, rows));
  });
  afterAll(() => service.stop());

  const read = (game: string, order: 'asc' | 'desc', limit: number) => {
    const list = service.database.list({
      entity: GameContentEntity,
      filters: ['platform', 'game_id'],
      keys: ['created_at', 'content_id'],
      columns: ['kind', 'document'],
    });
    return service.database.page(list, { filters: [PLATFORM, game], order, limit });
  };

  it.each(['asc', 'desc'] as const)(
    'has its rows in order, each with its own document, and null for missing ones (%s)',
    async (order) => {
      const rows = await read('game', order, PAGE - 1);
      const times = Array.from({ length: PAGE }, (_, at) => (order === 'asc' ? at : ROWS - 1 - at));
      expect(rows.map(({ created_at }) => created_at)).toEqual(times);
      expect(rows.map(({ document }) => (document === null ? null : String(document)))).toEqual(times.map(documentOf));
    },
  );

  it('has the same rows as one-by-one reads', async () => {
    const large = await read('game', 'desc', PAGE - 1);
    const small = await read('game', 'desc', 9);
    expect(large.slice(0, 10)).toEqual(small);
  });

  it('frees its memory when told to, and no other rows', async () => {
    const [first, second, small] = await Promise.all([
      read('game', 'desc', PAGE - 1),
      read('game', 'desc', PAGE - 1),
      read('game', 'desc', 9),
    ]);
    service.database.freePage(first);
    service.database.freePage(small);
    expect(first.map(({ document }) => document?.length ?? 0)).toEqual(first.map(() => 0));
    expect(second.slice(0, 10)).toEqual(small);
    expect(small.filter(({ document }) => document?.length === 0)).toEqual([]);
  });

  it('is empty when no row matches', async () => {
    expect(await read('none', 'asc', PAGE - 1)).toEqual([]);
  });
});
