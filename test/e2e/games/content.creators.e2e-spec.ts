import { expect, it } from '@jest/globals';
import { aContent, aGame, aProfile, liveGame, uniqueId } from '../../support/records/builders.js';
import { runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';

describeService('GET /platforms/{platform}/games/{game_id}/content?include=creators', (service) => {
  const path = (gameId: string, query = 'include=creators') =>
    `/platforms/live_platform/games/${gameId}/content?${query}`;
  const nameOf = ({ id, name, display_name }: ReturnType<typeof aProfile>) => ({ id, name, display_name });

  /** Loads content of a new game, the newest first, by these creators. */
  async function aGameBy(...creators: (string | null)[]): Promise<string> {
    const gameId = uniqueId();
    const items = creators.map((profile_id, index) =>
      aContent({
        profile_id,
        categories: [liveGame(gameId)],
        created_at: new Date(Date.UTC(2026, 0, 31) - index * 60_000).toISOString(),
      }),
    );
    await service().load('content', ...items);
    return gameId;
  }

  it('adds the names of the known creators once each, in the order of their first items, at the same cost', async () => {
    const [first, second] = [aProfile(), aProfile({ display_name: null })];
    await service().load('profiles', first, second, aProfile({ platform_id: 'video_platform', id: 'elsewhere' }));
    const gameId = await aGameBy(second.id, null, 'elsewhere', first.id, second.id, uniqueId());
    const plain = await service().get(path(gameId, ''));
    const { status, body, headers } = await service().get(path(gameId));
    expect([status, body.meta.creators]).toEqual([200, [nameOf(second), nameOf(first)]]);
    expect(body.payload).toEqual(plain.body.payload);
    expect(plain.body.meta).not.toHaveProperty('creators');
    expect(['x-quota-units', 'x-credits'].map((name) => [headers[name], plain.headers[name]])).toEqual([
      ['20', '20'],
      ['0', '0'],
    ]);
  });

  it('names the creators of each page', async () => {
    const creators = [aProfile(), aProfile(), aProfile()];
    await service().load('profiles', ...creators);
    const gameId = await aGameBy(...creators.map(({ id }) => id));
    const first = (await service().get(path(gameId, 'include=creators&limit=2'))).body;
    const next = path(gameId, `include=creators&limit=2&cursor=${first.paging.next_cursor}`);
    const second = (await service().get(next)).body;
    expect([first.meta.creators, second.meta.creators]).toEqual([
      creators.slice(0, 2).map(nameOf),
      creators.slice(2).map(nameOf),
    ]);
  });

  it('is empty for a page without content', async () => {
    const game = aGame();
    await service().load('games', game);
    const { status, body } = await service().get(path(String(game.live_platform_id)));
    expect([status, body.payload, body.meta.creators]).toEqual([200, [], []]);
  });

  it('names the creators of a full page of 100 items', async () => {
    const creators = Array.from({ length: 100 }, () => aProfile());
    await service().load('profiles', ...creators);
    const gameId = await aGameBy(...creators.map(({ id }) => id));
    const { body } = await service().get(path(gameId, 'include=creators&limit=100'));
    expect(body.meta.creators).toEqual(creators.map(nameOf));
  });

  it('has null for a name that the policy of the key hides', async () => {
    const creator = aProfile();
    await service().load('profiles', creator);
    const gameId = await aGameBy(creator.id);
    const { id, key } = await service().newKey();
    await runForJson(service().testDatabase, 'keys', 'policy', id, '--hide', 'display_name');
    const { body } = await service().get(path(gameId), { 'x-api-key': key });
    expect(body.meta.creators).toEqual([{ ...nameOf(creator), display_name: null }]);
  });

  it('changes its tag when a name changes', async () => {
    const creator = aProfile();
    await service().load('profiles', creator);
    const gameId = await aGameBy(creator.id);
    const tag = String((await service().get(path(gameId))).headers.etag);
    const ask = () => service().get(path(gameId), { 'if-none-match': tag });
    expect((await ask()).status).toBe(304);
    await service().load('profiles', { ...creator, display_name: 'Another' });
    expect((await ask()).body.meta.creators).toEqual([{ ...nameOf(creator), display_name: 'Another' }]);
  });

  it('400: another value', async () => {
    const { status, body } = await service().get(path(uniqueId(), 'include=available'));
    expect([status, body.error]).toEqual([
      400,
      expect.objectContaining({ message: 'include must be one of creators', allowed: ['creators'] }),
    ]);
  });
});
