import { expect, it } from '@jest/globals';
import { ProfileEntity } from '../../../src/features/profiles/profile.entity.js';
import { FEED_KINDS } from '../../../src/features/changes/feeds.js';
import { RECORD_STORES } from '../../../src/operator/import/record-stores.js';
import { Revisions } from '../../../src/operator/import/revisions.js';
import { feedPath, Mirror } from '../../support/changes/mirror.js';
import { runMirrorDrill } from '../../support/changes/mirror-drill.js';
import { storedRecords } from '../../support/changes/stored-records.js';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

/** Records and commands of the drill; `npm run test:faults` runs a longer one. */
const OPERATIONS = 4000;
const SEED = 20_261_125;

describeService('a copy that follows the feed', (service) => {
  it('a later commit never hides an earlier one', async () => {
    const mirror = new Mirror(feedPath('profiles'));
    const [slow, quick] = [aProfile({ id: `z${uniqueId()}` }), aProfile({ id: `a${uniqueId()}` })];
    // Before the lock is held, because its start writes a key.
    const second = await service().startSecond();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let hasWritten = false;
    const writing = service().database.write(async (writer) => {
      await writer.lockData();
      const { profiles } = RECORD_STORES;
      await profiles.write(writer, [profiles.prepare(slow)], new Revisions(writer));
      hasWritten = true;
      await released;
    });
    try {
      await until('the slow import has its revision', () => hasWritten);
      let isLoaded = false;
      const loading = second.load('profiles', quick).then(() => (isLoaded = true));
      for (let page = 0; page < 5; page += 1) expect(await mirror.follow(service())).toEqual([]);
      expect(isLoaded).toBe(false);
      release();
      await Promise.all([writing, loading]);
    } finally {
      release();
      await second.stop();
    }
    expect((await mirror.follow(service())).map(({ id }) => id)).toEqual([slow.id, quick.id]);
  });

  it('and a copy would miss the earlier one if revisions were taken before the lock', async () => {
    const mirror = new Mirror(feedPath('profiles'));
    await mirror.follow(service());
    const { database } = service();
    // In a transaction of its own: the naive way.
    const takeRevision = () => database.write((writer) => new Revisions(writer).assign('profiles'));
    const [earlier, later] = [await takeRevision(), await takeRevision()];
    const [slow, quick] = [aProfile(), aProfile()];
    for (const [profile, revision] of [
      [quick, later],
      [slow, earlier],
    ] as const) {
      const { row } = RECORD_STORES.profiles.prepare(profile);
      await database.write(async (writer) => {
        await writer.lockData();
        await writer.upsert(ProfileEntity, [row], { shared: revision });
      });
      await mirror.follow(service());
    }
    const stored = await storedRecords(service(), 'profiles');
    expect([...stored.keys()].filter((id) => !mirror.records.has(id))).toEqual([slow.id]);
  });

  it('has what the store has after concurrent imports, the same lines again, forget, undo, ingest and purge', async () => {
    const { mirrors, operations, pages } = await runMirrorDrill(service(), OPERATIONS, SEED);
    expect(operations).toBeGreaterThanOrEqual(OPERATIONS);
    expect(pages).toBeGreaterThan(FEED_KINDS.length);
    for (const [kind, mirror] of mirrors) {
      const stored = await storedRecords(service(), kind);
      expect(mirror.records).toEqual(stored);
      // A copy from the beginning has the same, and each record once.
      const whole = new Mirror(feedPath(kind));
      const upserts = (await whole.follow(service())).filter(({ op }) => op === 'upsert');
      expect(whole.records).toEqual(stored);
      expect(upserts).toHaveLength(stored.size);
    }
  });
});
