import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CollectStore } from '../../../src/operator/collect/collect-store.js';
import { quotaDay } from '../../../src/operator/collect/quota-day.js';
import { removeCollected } from '../../support/collect/remove-collected.js';
import { TwitchServer } from '../../support/collect/twitch-server.js';
import { removeAll } from '../../support/lists/lists.js';
import { BuiltProcess } from '../../support/process/processes.js';
import { describeService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

const CREATORS = 40;

/** Peak memory that the collector may have, in MiB. */
const MAX_MIB = 150;

describeService('a collector that is killed', (service) => {
  let twitch: TwitchServer;

  beforeEach(async () => {
    twitch = new TwitchServer();
    await twitch.start();
    await removeAll(service());
    await removeCollected(service().database);
  });
  afterEach(() => twitch.stop());

  it('writes the metrics while it waits in a loop', async () => {
    const { folder, url } = service().testDatabase;
    const [watch, metrics] = [join(folder, 'loop.csv'), join(folder, 'loop.prom')];
    writeFileSync(watch, `platform_id,id\nlive_platform,${twitch.add(1)[0]}\n`);
    const args = ['collect', 'twitch', '--watch', watch, '--metrics', metrics, '--loop'];
    const settings = { DATABASE_URL: url, DATA_DIR: folder, ...twitch.environment };
    const running = await BuiltProcess.start('cli.mjs', args, settings);
    await until('it has asked everything', () => twitch.answered.length === 5);
    const askedAt = Date.now();
    await until('it has written the metrics again', () => statSync(metrics).mtimeMs > askedAt + 5000);
    expect(readFileSync(metrics, 'utf8')).toContain('creator_data_collect_creators{source="twitch",state="due"} 0');
    running.signal('SIGTERM');
    expect((await running.ended).status).toBe(0);
  });

  it('repeats at most the call in flight, counts every call, and leaves no secret anywhere', async () => {
    const { folder, url } = service().testDatabase;
    const [watch, keep, metrics] = [join(folder, 'watch.csv'), join(folder, 'kept'), join(folder, 'collect.prom')];
    const lines = twitch.add(CREATORS, { videos: 50 }).map((id) => `live_platform,${id}`);
    writeFileSync(watch, `platform_id,id\n${lines.join('\n')}\n`);
    const args = ['collect', 'twitch', '--watch', watch, '--keep', keep, '--metrics', metrics, '--json'];
    const settings = { DATABASE_URL: url, DATA_DIR: folder, ...twitch.environment };
    const outputs: string[] = [];
    const total = 3 + 2 * CREATORS;
    const kills = [30];
    let peak = 0;
    let result: { status: number | null; out: string } = { status: null, out: '' };
    for (const answers of [...kills, null]) {
      const running = await BuiltProcess.start('cli.mjs', args, settings);
      let isOver = false;
      void running.ended.then(() => (isOver = true));
      await until('it has asked enough', () => isOver || twitch.answered.length >= (answers ?? total - 5));
      peak = Math.max(peak, running.peakMib());
      if (answers !== null) running.signal('SIGKILL');
      const { status, out, err } = await running.ended;
      outputs.push(out, err);
      result = { status, out };
    }
    expect(result.status).toBe(0);
    expect(JSON.parse(result.out)).toMatchObject({ creators: { creators: CREATORS, due: 0 } });
    const asked = twitch.answered.flatMap(({ path, query }) =>
      ['id', 'broadcaster_id', 'user_id'].flatMap((name) => query.getAll(name).map((id) => `${path} ${id}`)),
    );
    expect(new Set(asked).size).toBe(5 * CREATORS);
    expect(twitch.answered.length - total).toBeLessThanOrEqual(kills.length);
    const { database } = service();
    const { calls } = await new CollectStore(database, 'twitch').readSpent(quotaDay(Date.now(), 'UTC'));
    // A call can be counted and not sent, never sent and not counted.
    expect(calls).toBeGreaterThanOrEqual(twitch.calls.length);
    expect(calls - twitch.calls.length).toBeLessThanOrEqual(kills.length);
    expect(peak).toBeLessThan(MAX_MIB);

    const secrets = [twitch.tokens.clientSecret, ...twitch.tokens.issued];
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
    expect(files.map(({ name }) => name)).toContain('collect.prom');
    expect(secrets.filter((secret) => [...texts, ...outputs].some((text) => text.includes(secret)))).toEqual([]);
  });
});
