import { expect, it } from '@jest/globals';
import { forgetCreator, undoForget } from '../../../src/operator/import/forget.js';
import { aContent, aProfile, uniqueId } from '../../support/records/builders.js';
import { historyLine } from '../../support/history.js';
import { idOf } from '../../support/lists/lists.js';
import { loadOneOfEach } from '../../support/openapi/operations.js';
import { describeService } from '../../support/service/test-service.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';

/** Tables that may hold data about a creator. */
const TABLES = [
  ['profiles', 'id'],
  ['content', 'profile_id'],
  ['game_content', 'content_id'],
  ['creator_analyses', 'profile_id'],
  ['audience_analyses', 'profile_id'],
  ['social_links', 'profile_id'],
  ['social_link_targets', 'profile_id'],
  ['emails', 'profile_id'],
  ['profile_history', 'profile_id'],
] as const;

describeService('forget', (service) => {
  const path = (id: string) => `/platforms/live_platform/profiles/${id}`;
  const statuses = (id: string) =>
    Promise.all(
      ['', '/content', '/analysis', '/audience', '/socials', '/email', '/history'].map(
        async (part) => (await service().get(path(id) + part)).status,
      ),
    );
  const forgetIt = (id: string) => forgetCreator(service().database, 'live_platform', id, Date.now());
  const rowsOf = async (id: string) =>
    Promise.all(
      TABLES.map(async ([table, column]) => {
        const sql = `SELECT 1 FROM ${table} WHERE ${column} = ?`;
        const rows = await withoutSqlCheck(() => service().database.all({ sql }, [id], { source: 'primary' }));
        return [table, rows.length] as const;
      }),
    );

  it('removes everything about a creator: profile, content, analysis, audience, links, e-mail, history', async () => {
    const id = await loadOneOfEach(service());
    await service().load('history', historyLine(id, '2020-01-31', 1));
    expect(await statuses(id)).toEqual([200, 200, 200, 200, 200, 200, 200]);
    expect((await rowsOf(id)).filter(([, rows]) => rows === 0)).toEqual([]);

    expect(await forgetIt(id)).toEqual({ profiles: 1, content: 1, documents: 4, history: 2, links: 0 });
    expect(await statuses(id)).toEqual([404, 404, 404, 404, 404, 404, 404]);
    expect((await rowsOf(id)).filter(([, rows]) => rows > 0)).toEqual([]);
    expect((await service().get(`/platforms/live_platform/content/${id}`)).status).toBe(404);
    const lookup = await service().post('/platforms/live_platform/profiles/lookup', { handles: [id] });
    expect(lookup.body.meta.missing_handles).toEqual([id]);
  });

  it('keeps the game, whose content list no longer holds the content', async () => {
    const id = await loadOneOfEach(service());
    const gamePath = `/platforms/live_platform/games/${id}/content`;
    expect((await service().get(gamePath)).body.payload.map(idOf)).toEqual([id]);
    await forgetIt(id);
    const { status, body } = await service().get(gamePath);
    expect([status, body.payload, body.meta.game.id]).toEqual([200, [], id]);
  });

  it('removes the links of others to the creator, and only these', async () => {
    const [id, fan, other] = [uniqueId(), uniqueId(), uniqueId()];
    const linkTo = (target: string, platform_id = 'live_platform') => ({
      id: target,
      name: null,
      platform_id,
      followers: null,
    });
    await service().load('profiles', aProfile({ id }), aProfile({ id: fan, platform_id: 'photo_platform' }));
    const links = [linkTo(other), linkTo(id), linkTo(id, 'video_platform'), linkTo(`${id}0`)];
    await service().load('socials', { platform_id: 'photo_platform', profile_id: fan, links });
    expect((await forgetIt(id)).links).toBe(1);
    const { body } = await service().get(`/platforms/photo_platform/profiles/${fan}/socials`);
    expect(body.payload).toEqual([links[0], links[2], links[3]]);
  });

  it('keeps other creators, on other platforms and under similar IDs as well', async () => {
    const id = uniqueId();
    const others = [
      aProfile({ id, platform_id: 'video_platform' }),
      aProfile({ id: `${id} ` }),
      aProfile({ id: `x${id}` }),
      aProfile({ id: `X${id}` }),
    ];
    await service().load('profiles', aProfile({ id }), ...others);
    await service().load(
      'content',
      ...others.map(({ id: profile_id, platform_id: platform }) => aContent({ profile_id, platform })),
    );
    await forgetIt(id);
    for (const other of others) {
      const otherPath = `/platforms/${other.platform_id}/profiles/${encodeURIComponent(other.id)}`;
      expect((await service().get(otherPath)).body.payload).toEqual(other);
      expect((await service().get(`${otherPath}/content`)).body.payload).toHaveLength(1);
    }
  });

  it('removes all content of a creator with thousands of items', async () => {
    const profile_id = uniqueId();
    const items = Array.from({ length: 1001 }, () => aContent({ profile_id }));
    await service().load('content', ...items);
    expect((await forgetIt(profile_id)).content).toBe(1001);
    expect((await service().get(`${path(profile_id)}/content`)).status).toBe(404);
  });

  it('A later import of that creator is rejected line by line until `forget --undo`', async () => {
    const id = uniqueId();
    const other = uniqueId();
    const link = { id, platform_id: 'live_platform' };
    const key = { platform_id: 'live_platform', profile_id: id };
    const lines = {
      profiles: aProfile({ id }),
      content: aContent({ content_id: id, profile_id: id }),
      emails: { ...key, email: 'a@example.com' },
      socials: { platform_id: 'live_platform', profile_id: other, links: [link] },
    } as const;
    await forgetIt(id);
    for (const kind of ['profiles', 'content', 'emails', 'socials'] as const) {
      const fine = aProfile();
      const text = JSON.stringify(lines[kind]);
      expect(await service().loadLines(kind, [text])).toEqual({
        outcome: { lines: 1, loaded: 0, rejected: 1 },
        rejected: [{ line: 1, reason: 'suppressed: about a forgotten creator', text }],
      });
      if (kind !== 'profiles') continue;
      const mixed = await service().loadLines(kind, [JSON.stringify(fine), text, 'bad']);
      expect(mixed.outcome).toEqual({ lines: 3, loaded: 1, rejected: 2 });
      expect(mixed.rejected.map(({ line, reason }) => [line, reason])).toEqual([
        [2, 'suppressed: about a forgotten creator'],
        [3, 'not JSON'],
      ]);
      await expect(service().loadLines(kind, [text], true)).rejects.toThrow(
        'line 1: suppressed: about a forgotten creator',
      );
    }
    expect((await service().get(path(id))).status).toBe(404);

    expect(await undoForget(service().database, 'live_platform', id)).toBe(true);
    for (const kind of ['profiles', 'content', 'emails', 'socials'] as const) await service().load(kind, lines[kind]);
    expect((await service().get(path(id))).body.payload).toEqual(lines.profiles);
    expect((await service().get(`${path(id)}/content`)).body.payload).toEqual([lines.content]);
    expect(await undoForget(service().database, 'live_platform', id)).toBe(false);
  });

  it('accepts an unknown creator, more than once', async () => {
    const id = uniqueId();
    expect(await forgetIt(id)).toEqual({ profiles: 0, content: 0, documents: 0, history: 0, links: 0 });
    expect(await forgetIt(id)).toEqual({ profiles: 0, content: 0, documents: 0, history: 0, links: 0 });
    expect((await service().loadLines('profiles', [JSON.stringify(aProfile({ id }))])).outcome.rejected).toBe(1);
  });

  it('never suppresses content without a creator', async () => {
    await forgetIt('null');
    const item = aContent({ profile_id: null });
    await service().load('content', item);
    expect((await service().get(`/platforms/live_platform/content/${item.content_id}`)).status).toBe(200);
  });
});
