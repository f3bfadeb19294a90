import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Database } from '../../../src/database/database.js';
import { quotaDay } from '../../../src/operator/collect/quota-day.js';
import type { ApiCall, ApiServer } from '../../support/collect/api-server.js';
import { BlueskyServer } from '../../support/collect/bluesky-server.js';
import { removeCollected } from '../../support/collect/remove-collected.js';
import { Killed, SimulatedTimer, simulate, watched, type SimulationOptions } from '../../support/collect/simulation.js';
import { TwitchServer } from '../../support/collect/twitch-server.js';
import { YoutubeServer } from '../../support/collect/youtube-server.js';
import { removeAll } from '../../support/lists/lists.js';
import { Choices } from '../../support/search/random.js';
import { describeService } from '../../support/service/test-service.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';

const START = Date.parse('2026-03-02T00:00:00Z');
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const END = START + 24 * HOUR_MS;
const OUTAGE = { from: START + 10 * HOUR_MS, to: START + 11 * HOUR_MS };

const CREATORS = 12;

/** A simulated day of one source. */
interface Day {
  /** Answers by what was asked about: a creator in a step, or an item. */
  readonly asks: ReadonlyMap<string, readonly number[]>;
  readonly kills: number;
  /** Subjects of answers after which the collector was killed before it noted them: each call is made again. */
  readonly lost: number;
}

/** Reads all text of a database, by table. */
const readTables = ({ dataSource }: Database): Promise<[string, string][]> =>
  withoutSqlCheck(() =>
    Promise.all(
      dataSource.entityMetadatas.map(async ({ tableName }): Promise<[string, string]> => {
        const rows: object[] = await dataSource.query(`SELECT * FROM ${tableName}`);
        const values = rows.flatMap((row): unknown[] => Object.values(row));
        return [
          tableName,
          values.map((value) => (Buffer.isBuffer(value) ? value.toString() : String(value))).join('\n'),
        ];
      }),
    ),
  );

const isDown = (at: number) => at >= OUTAGE.from && at < OUTAGE.to;

/** Lists what a call asks about. */
const subjectsOf = ({ path, query }: ApiCall): string[] =>
  ['id', 'login', 'broadcaster_id', 'user_id', 'actors', 'actor', 'playlistId', 'forHandle'].flatMap((name) =>
    query
      .getAll(name)
      .flatMap((value) => value.split(','))
      .map((value) => `${path} ${value}`),
  );

describeService('24 simulated hours of collecting', (service) => {
  let server: ApiServer | null = null;

  beforeEach(async () => {
    await removeAll(service());
    await removeCollected(service().database);
  });
  afterEach(async () => {
    await server?.stop();
    server = null;
  });

  /** Runs a loop for a day, in which it is killed every few minutes and started again. */
  async function runDay(
    api: ApiServer,
    options: Omit<SimulationOptions, 'database' | 'timer' | 'isLoop' | 'mayKill' | 'random'>,
  ): Promise<Day> {
    server = api;
    const choices = new Choices(7);
    const random = () => choices.next();
    const timer = new SimulatedTimer(START);
    api.now = timer.now;
    api.fault = ({ at }) => {
      if (isDown(at)) return 'down';
      return random() < 0.02 ? 'cut' : 'none';
    };
    let [kills, lost] = [0, 0];
    timer.stopAt = END;
    while (!timer.stopping.signal.aborted) {
      timer.killAt = timer.now() + (2 + random() * 4) * MINUTE_MS;
      const mayKill = () => {
        if (random() > 0.05) return;
        lost += api.answered.slice(-1).flatMap(subjectsOf).length;
        throw new Killed();
      };
      const { database } = service();
      const collector = simulate({ ...options, database, timer, isLoop: true, mayKill, random });
      try {
        await collector.run();
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        kills += 1;
        // A supervisor starts it again after some seconds.
        timer.time += 5000;
      }
    }
    const asks = new Map<string, number[]>();
    for (const call of api.answered) {
      for (const subject of subjectsOf(call)) asks.set(subject, [...(asks.get(subject) ?? []), call.at]);
    }
    return { asks, kills, lost };
  }

  /** Returns the times that a subject waited longer than it may, with its name. */
  const lateAsks = ({ asks }: Day, everyMs: number): string[] =>
    [...asks].flatMap(([subject, times]) =>
      [...times, END].flatMap((at, index) => {
        const before = times[index - 1] ?? START;
        // What was due in the outage is due when it is over.
        const dueAt = isDown(before + everyMs) ? OUTAGE.to : before + everyMs;
        return at - dueAt > 0.2 * everyMs ? [`${subject} at ${new Date(at).toISOString()}`] : [];
      }),
    );

  /** Counts answers that came long before they were due. */
  const repeated = ({ asks }: Day, everyMs: number): number =>
    [...asks.values()].reduce(
      (sum, times) => sum + times.filter((at, index) => at - (times[index - 1] ?? -Infinity) < 0.85 * everyMs).length,
      0,
    );

  it(
    'keeps Twitch within 1.2 of the interval, with tokens that expire, cut connections, an outage and kills',
    async () => {
      const twitch = new TwitchServer();
      await twitch.start();
      twitch.tokens.lifetimeMs = 4 * HOUR_MS;
      const everyMs = 2 * HOUR_MS;
      const creators = watched('twitch', twitch.add(CREATORS), everyMs);
      const day = await runDay(twitch, { source: 'twitch', environment: twitch.environment, creators });
      expect(day.kills).toBeGreaterThan(200);
      expect(day.lost).toBeGreaterThan(3);
      expect(day.asks.size).toBe(5 * CREATORS);
      expect(lateAsks(day, everyMs)).toEqual([]);
      expect(repeated(day, everyMs)).toBeLessThanOrEqual(day.lost);
      expect(Object.keys(await secretsIn(twitch.tokens.issued.concat(twitch.tokens.clientSecret)))).toEqual([]);
    },
    5 * MINUTE_MS,
  );

  it(
    'never exceeds the budget of YouTube on any day of its quota',
    async () => {
      const youtube = new YoutubeServer();
      await youtube.start();
      const everyMs = 6 * HOUR_MS;
      const budget = 200;
      const creators = watched('youtube', youtube.add(CREATORS, { videos: 5 }), everyMs);
      const day = await runDay(youtube, { source: 'youtube', environment: youtube.environment, creators, budget });
      expect(lateAsks({ ...day, asks: withoutItems(day) }, everyMs)).toEqual([]);
      const units = new Map<number, number>();
      for (const { at } of youtube.calls) {
        const quota = quotaDay(at, 'America/Los_Angeles');
        units.set(quota, (units.get(quota) ?? 0) + 1);
      }
      expect(units.size).toBe(2);
      for (const spent of units.values()) expect(spent).toBeLessThanOrEqual(budget);
      expect(Object.keys(await secretsIn([youtube.key]))).toEqual([]);
    },
    5 * MINUTE_MS,
  );

  it(
    'waits as Bluesky tells, and keeps the interval',
    async () => {
      const bluesky = new BlueskyServer();
      await bluesky.start();
      const everyMs = 3 * HOUR_MS;
      const creators = watched('bluesky', bluesky.add(CREATORS), everyMs);
      const choices = new Choices(11);
      const random = () => choices.next();
      bluesky.afterAnswer = () => {
        if (random() < 0.02) bluesky.limited = 2;
      };
      const day = await runDay(bluesky, { source: 'bluesky', environment: bluesky.environment, creators });
      expect(day.asks.size).toBe(2 * CREATORS);
      expect(lateAsks(day, everyMs)).toEqual([]);
      expect(repeated(day, everyMs)).toBeLessThanOrEqual(day.lost);
    },
    5 * MINUTE_MS,
  );

  const withoutItems = ({ asks }: Day) =>
    new Map([...asks].filter(([subject]) => !subject.startsWith('/youtube/v3/videos')));

  /** Finds secrets in the files of an embedded database, or in the tables of a database server. */
  async function secretsIn(secrets: readonly string[]): Promise<Record<string, string>> {
    const { folder, dialect } = service().testDatabase;
    const found: Record<string, string> = {};
    const tables = dialect === 'mysql' ? await readTables(service().database) : [];
    for (const [table, text] of tables) for (const secret of secrets) if (text.includes(secret)) found[table] = secret;
    for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!name.isFile()) continue;
      const text = readFileSync(join(name.parentPath, name.name), 'latin1');
      for (const secret of secrets) if (text.includes(secret)) found[name.name] = secret;
    }
    return found;
  }
});
