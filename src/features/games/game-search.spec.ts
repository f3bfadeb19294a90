import { expect, it, jest } from '@jest/globals';
import { CounterEntity } from '../../database/counter.entity.js';
import type { Database } from '../../database/database.js';
import type { buildNameIndex } from './name-index.builder.js';
import type { NameIndex } from './name-index.js';

const builder = jest.fn<typeof buildNameIndex>();
jest.mock('./name-index.builder.js', () => ({ buildNameIndex: builder }));

/** Enough changed games to make the search rebuild its index in the background. */
const GAMES = Array.from({ length: 501 }, (_, num) => ({ num, id: String(num), name: 'quest', revision: 2 }));

const indexOf = (nums: readonly number[]) =>
  ({ search: (_words, _limit, excluded) => nums.filter((num) => !excluded.has(num)) }) as NameIndex;

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((fulfil) => (resolve = fulfil));
  return { promise, resolve };
}

/** Creates a store whose games are all loaded by its second import. */
function store() {
  let revision = 1;
  let answerDelay = Promise.resolve();
  let onRequest: () => void = () => undefined;
  const fake = {
    lookup: (description: unknown) => description,
    list: (description: unknown) => description,
    page: async () => GAMES,
    pages: async function* () {},
    findMany: async ({ entity }: { entity: unknown }, _group: null, ids: readonly string[]) => {
      if (entity !== CounterEntity) {
        return ids.map((id) => ({ num: id, id, name: 'quest', unpopularity: 0, document: Buffer.from('{}') }));
      }
      onRequest();
      await answerDelay;
      return [{ name: 'games_revision', value: revision }];
    },
  };
  return {
    database: fake as unknown as Database,
    import: () => (revision = 2),
    /** Delays the next answer. @returns a promise that resolves when it is requested, and a function that sends it */
    delay: () => {
      const [request, answer] = [deferred<void>(), deferred<void>()];
      onRequest = () => request.resolve();
      answerDelay = answer.promise;
      return { requested: request.promise, answer: () => answer.resolve() };
    },
  };
}

it.each(Array.from({ length: 40 }, (_, turns) => turns))(
  'GameSearch finds every game if a new index replaces the old one %d microtasks after the revision was read',
  async (turns) => {
    // Imported here, after its dependency was mocked.
    const { GameSearch } = await import('./game-search.js');
    const games = store();
    const search = new GameSearch(games.database);
    builder.mockResolvedValueOnce(indexOf([]));
    expect(await search.find('quest', null, 1000)).toEqual([]);
    const built = deferred<NameIndex>();
    builder.mockReturnValueOnce(built.promise);
    games.import();
    expect(await search.find('quest', null, 1000)).toHaveLength(GAMES.length);

    const revision = games.delay();
    const found = search.find('quest', null, 1000);
    await revision.requested;
    revision.answer();
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    built.resolve(indexOf(GAMES.map(({ num }) => num)));
    expect(await found).toHaveLength(GAMES.length);
  },
);
