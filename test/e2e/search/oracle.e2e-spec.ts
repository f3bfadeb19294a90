import { beforeAll, expect, it } from '@jest/globals';
import { creatorOf, GAMES, loadCreators, type Creator } from '../../support/search/creators.js';
import { countByScan, findByScan, type SearchBody } from '../../support/search/oracle.js';
import { searchOf } from '../../support/search/queries.js';
import { Choices } from '../../support/search/random.js';
import { describeService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

const CREATORS = 20_000;
const QUERIES = 600;
const WALKS = 40;
/** Creators who are imported again while others are searched for. */
const CHANGING = 300;
const FACETS = ['language', 'account_type', 'topics', 'countries'];
const PATH = '/platforms/live_platform/profiles/search';

const idsOf = (profiles: readonly { id: string }[]): string[] => profiles.map(({ id }) => id);

describeService('searches among generated creators', (service) => {
  const creators: Creator[] = Array.from({ length: CREATORS }, (_, number) => creatorOf(number));
  const ids = idsOf(creators.map(({ profile }) => profile));

  const search = async (body: SearchBody) => {
    const { status, body: answer } = await service().post(PATH, body);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(answer)} ${JSON.stringify(body)}`);
    return answer;
  };

  /** Follows the cursors to the last page. */
  const walk = async (body: SearchBody): Promise<string[]> => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { payload, paging } = await search({ ...body, ...(cursor === undefined ? {} : { cursor }) });
      found.push(...idsOf(payload));
      cursor = paging.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return found;
  };

  /** Waits until the index has the content, which is loaded last. */
  const waitForIndex = async () => {
    const filters = { game_ids: GAMES };
    const expected = findByScan(creators, { filters }).length;
    await until('all creators are found', async () => {
      const { meta } = await search({ count: true, limit: 1, filters });
      return meta.count.value === expected;
    });
  };

  beforeAll(async () => {
    await loadCreators(service(), creators.slice(0, CREATORS / 2));
    // In parts, so that the index has several segments.
    await search({});
    await loadCreators(service(), creators.slice(CREATORS / 2));
    await waitForIndex();
  });

  it('find the same in the same order, with the same count and facets, as looking at each', async () => {
    for (let seed = 0; seed < QUERIES; seed++) {
      const choices = new Choices(seed);
      const body = searchOf(choices, ids);
      const facets = choices.chance(0.5) ? [...new Set(choices.some(FACETS, 3))] : null;
      const { payload, paging, meta } = await search({ ...body, ...(facets && { count: true, facets }) });
      const found = findByScan(creators, body);
      const { limit = 0 } = body;
      const expected = {
        ids: found.slice(0, limit).map(({ profile }) => profile.id),
        isLast: found.length <= limit,
        count: facets === null ? undefined : { value: found.length, relation: 'eq' },
        facets:
          facets === null
            ? undefined
            : Object.fromEntries(facets.map((name) => [name, countByScan(found, creators, name)])),
      };
      const { count, facets: counts } = meta;
      const told = { ids: idsOf(payload), isLast: paging.next_cursor === null, count, facets: counts };
      expect({ seed, body, ...told }).toEqual({ seed, body, ...expected });
    }
  });

  it('return every creator exactly once to a client that follows the cursors', async () => {
    for (let seed = 0; seed < WALKS; seed++) {
      const body = searchOf(new Choices(1_000_000 + seed), ids);
      const found = findByScan(creators, body);
      if (found.length > 1000) continue;
      const expected = found.map(({ profile }) => profile.id);
      expect({ seed, body, ids: await walk(body) }).toEqual({ seed, body, ids: expected });
    }
  });

  it('find creators who do not change correctly while others are imported', async () => {
    const unchanged = creators.slice(CHANGING);
    const changing = new Set(ids.slice(0, CHANGING));
    let isImporting = true;
    const importing = (async () => {
      for (let version = 1; version <= 8; version++) {
        const changed = Array.from({ length: CHANGING }, (_, number) => creatorOf(number, version).profile);
        await service().load('profiles', ...changed);
      }
      isImporting = false;
    })();
    for (let seed = 0; isImporting || seed < 20; seed++) {
      const body = searchOf(new Choices(2_000_000 + seed), ids);
      const expected = findByScan(unchanged, body).map(({ profile }) => profile.id);
      if (expected.length > 300) continue;
      const found = (await walk(body)).filter((id) => !changing.has(id));
      expect({ seed, body, ids: found }).toEqual({ seed, body, ids: expected });
    }
    await importing;
    const current = [
      ...creators.slice(0, CHANGING).map((creator, number) => ({ ...creator, profile: creatorOf(number, 8).profile })),
      ...unchanged,
    ];
    const body: SearchBody = {
      filters: { language: ['ja'], followers: { min: 30 } },
      sort: 'last_active_at',
      limit: 50,
    };
    const expected = findByScan(current, body).map(({ profile }) => profile.id);
    await until('the changes are found', async () => JSON.stringify(await walk(body)) === JSON.stringify(expected));
  });
});
