import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { forgetCreator } from '../../../src/operator/import/forget.js';
import { aContent, aProfile, liveGame, uniqueId } from '../../support/records/builders.js';
import { ANALYSIS, loadOneOfEach } from '../../support/openapi/operations.js';
import { TestService } from '../../support/service/test-service.js';

/** Names in every text about the forgotten creator, and nowhere else. */
const NAME = 'Quetzalquark';
const HANDLE = 'zyzzyvaquark';

/** Enough records that pages of every table are split and merged. */
const OTHERS = 3000;

describe('the files of the embedded database', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start('sqlite');
  });
  afterAll(() => service.stop());

  /** Counts the names in each file. */
  function found(): Record<string, number> {
    const data = service.testDatabase.url.slice('sqlite:'.length);
    const files = [data, data.replace('.sqlite', '-usage.sqlite')].flatMap((file) => [file, `${file}-wal`]);
    const counts = files.map((file) => {
      const text = existsSync(file) ? readFileSync(file, 'latin1').toLowerCase() : '';
      return [file.slice(data.lastIndexOf('/') + 1), text.split(new RegExp(`${NAME}|${HANDLE}`, 'i')).length - 1];
    });
    return Object.fromEntries(counts) as Record<string, number>;
  }

  /** Loads every kind of record about a creator, in a numbered version, with long and short texts. */
  async function loadAbout(id: string, game: string, version: number): Promise<void> {
    const long = `${NAME} `.repeat(version % 2 === 0 ? 3 : 2000);
    const owner = { platform_id: 'live_platform', profile_id: id };
    await service.load('profiles', aProfile({ id, name: HANDLE, display_name: NAME, description: long }));
    await service.load(
      'content',
      ...Array.from({ length: 300 }, (_, at) =>
        aContent({
          content_id: `${id}-${at}`,
          profile_id: id,
          title: `${NAME} ${version} ${'x'.repeat(at)}`,
          description: at % 50 === 0 ? long : null,
          created_at: new Date(Date.parse('2026-01-01') + (at * 7919 + version) * 60_000).toISOString(),
          categories: [liveGame(game)],
        }),
      ),
    );
    await service.load('analysis', { ...owner, analysis: { ...ANALYSIS, biography: long } });
    await service.load('emails', { ...owner, email: `${HANDLE}@example.com`, updated_at: null });
    const link = { id: uniqueId(), name: NAME, platform_id: 'video_platform', followers: version };
    await service.load('socials', { ...owner, links: [link] });
  }

  it('hold no byte of the names of a forgotten creator, in any loaded version', async () => {
    const game = uniqueId();
    const id = await loadOneOfEach(service);
    const fan = { platform_id: 'photo_platform', profile_id: uniqueId() };
    for (let version = 0; version < 3; version += 1) {
      await loadAbout(id, game, version);
      const others = Array.from({ length: OTHERS }, () => aProfile({ description: 'x'.repeat(200 * version) }));
      await service.load('profiles', ...others);
      await service.load(
        'content',
        ...others.map(({ id: profile_id }, at) =>
          aContent({
            profile_id,
            created_at: new Date(Date.parse('2026-01-01') + at * 60_000).toISOString(),
            categories: [liveGame(game)],
          }),
        ),
      );
      const links = [{ id, name: NAME, platform_id: 'live_platform', followers: version }];
      await service.load('socials', { ...fan, links });
    }
    const before = found();
    expect(Object.values(before).reduce((sum, count) => sum + count)).toBeGreaterThan(600);
    await service.get(`/platforms/live_platform/profiles/${id}`);
    await service.post('/platforms/live_platform/profiles/lookup', { handles: [HANDLE] });

    expect((await forgetCreator(service.database, 'live_platform', id, Date.now())).content).toBe(301);
    expect(Object.entries(found()).filter(([, count]) => count > 0)).toEqual([]);
  });
});
