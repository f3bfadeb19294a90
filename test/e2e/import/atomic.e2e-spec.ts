import { describe, expect, it } from '@jest/globals';
import { forgetCreator } from '../../../src/operator/import/forget.js';
import { aContent, aProfile, liveGame, uniqueId } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';
import { present } from '../../support/present.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';

describeService('a batch', (service) => {
  /** Renames a table while `work` runs, so that the batch fails in the middle. */
  async function without(table: string, work: () => Promise<void>): Promise<void> {
    const { dataSource } = service().database;
    await withoutSqlCheck(() => dataSource.query(`ALTER TABLE ${table} RENAME TO ${table}_away`));
    try {
      await work();
    } finally {
      await withoutSqlCheck(() => dataSource.query(`ALTER TABLE ${table}_away RENAME TO ${table}`));
    }
  }

  /** Returns an error as text, because errors of the embedded driver come from another realm than those of the test. */
  const failureOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no failure',
      (error: unknown) => String(error),
    );

  const statusOf = async ({ content_id }: { content_id: string }) =>
    (await service().get(`/platforms/live_platform/content/${content_id}`)).status;

  describe('is stored whole or not at all', () => {
    it('no record of it is visible after a write fails in the middle, and the same file loads afterwards', async () => {
      const game = uniqueId();
      const items = Array.from({ length: 20 }, () => aContent({ categories: [liveGame(game)] }));
      await without('game_content', async () => {
        expect(await failureOf(service().load('content', ...items))).toMatch(/game_content/);
        // Rows that the failed import wrote into the first table are rolled back.
        for (const item of items.slice(0, 3)) expect(await statusOf(item)).toBe(404);
      });
      for (const item of items) expect(await statusOf(item)).toBe(404);
      await service().load('content', ...items);
      const { body } = await service().get(`/platforms/live_platform/games/${game}/content?limit=100`);
      expect(body.payload).toHaveLength(20);
    });

    it('existing records are unchanged after a failed batch', async () => {
      const game = uniqueId();
      const item = aContent({ categories: [liveGame(game)] });
      await service().load('content', item);
      await without('game_content', async () => {
        expect(await failureOf(service().load('content', { ...item, title: 'New', categories: [] }))).toMatch(
          /game_content/,
        );
      });
      const { body } = await service().get(`/platforms/live_platform/content/${item.content_id}`);
      expect(body.payload).toEqual(item);
      const list = await service().get(`/platforms/live_platform/games/${game}/content`);
      expect(list.body.payload).toEqual([item]);
    });

    it('a creator whose forgetting was interrupted stays suppressed, and forgetting again completes it', async () => {
      const profile = aProfile();
      const email = {
        platform_id: profile.platform_id,
        profile_id: profile.id,
        email: 'a@example.com',
        updated_at: null,
      };
      await service().load('profiles', profile);
      await service().load('emails', email);
      const again = () => forgetCreator(service().database, 'live_platform', profile.id, Date.now());
      await without('social_links', async () => {
        expect(await failureOf(again())).toMatch(/social_links/);
      });
      const { rejected } = await service().loadLines('profiles', [JSON.stringify(profile)]);
      expect(rejected).toEqual([expect.objectContaining({ reason: 'suppressed: about a forgotten creator' })]);
      expect(await again()).toMatchObject({ documents: 1 });
    });

    it('the next write after a failed batch succeeds', async () => {
      await without('game_content', async () => {
        expect(await failureOf(service().load('content', aContent({ categories: [liveGame(uniqueId())] })))).toMatch(
          /game_content/,
        );
        const profile = aProfile();
        await service().load('profiles', profile);
        expect((await service().get(`/platforms/live_platform/profiles/${profile.id}`)).status).toBe(200);
      });
    });
  });

  describe('beside other work', () => {
    it('concurrent imports wait for each other, and all of them load', async () => {
      const groups = Array.from({ length: 4 }, () => Array.from({ length: 50 }, () => aProfile()));
      await Promise.all(groups.map((profiles) => service().load('profiles', ...profiles)));
      for (const profiles of groups) {
        const profile_ids = profiles.map(({ id }) => id);
        const { body } = await service().post('/platforms/live_platform/profiles', { profile_ids });
        expect(body.meta.missing_ids).toEqual([]);
      }
    });

    it('The service answers correctly all the while', async () => {
      const profiles = Array.from({ length: 2000 }, () => aProfile({ description: 'old' }));
      await service().load('profiles', ...profiles);
      const loading = service().load('profiles', ...profiles.map((profile) => ({ ...profile, description: 'new' })));
      const seen = new Set<string>();
      let done = false;
      void loading.finally(() => (done = true));
      do {
        const { status, body } = await service().get(`/platforms/live_platform/profiles/${present(profiles[0]).id}`);
        expect(status).toBe(200);
        seen.add(body.payload.description as string);
      } while (!done);
      await loading;
      for (const description of seen) expect(['old', 'new']).toContain(description);
      const { body } = await service().get(`/platforms/live_platform/profiles/${present(profiles[1999]).id}`);
      expect(body.payload.description).toBe('new');
    });
  });
});
