/**
 * Collects for a simulated day, from a platform in a process of its own. Prints calls, CPU time and peak memory as JSON:
 * node collect-day.mjs SOURCE CREATORS
 */
import '../../src/v8-flags.js';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { CreatorSource } from '../../src/operator/collect/collect-source.js';
import { readConfig } from '../../src/model/config.js';
import { openCurrentDatabase } from '../../src/schema/open-database.js';
import { BlueskyServer } from '../../test/support/collect/bluesky-server.js';
import { SimulatedTimer, simulate, watched } from '../../test/support/collect/simulation.js';
import { TwitchServer } from '../../test/support/collect/twitch-server.js';
import { YoutubeServer } from '../../test/support/collect/youtube-server.js';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-03-02T00:00:00Z');
const INTERVAL_MS = 6 * HOUR_MS;

/** What the platform tells the collector once it listens. */
interface PlatformStarted {
  readonly ids: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const [source, count] = [process.argv[2] as CreatorSource, Number(process.argv[3])];
if (process.send === undefined) await collect();
else await playPlatform();

async function collect(): Promise<void> {
  // As the command does.
  setFlagsFromString('--optimize-for-size');
  const platform = fork(process.argv[1] ?? '', [source, String(count)], { execArgv: [] });
  const [{ ids, environment }] = (await once(platform, 'message')) as [PlatformStarted];
  const timer = new SimulatedTimer(START);
  const { sleep } = timer;
  // The platform has the same time.
  Object.assign(timer, {
    sleep: async (ms: number, signal: AbortSignal) => {
      await sleep(ms, signal);
      platform.send(timer.time);
    },
  });
  timer.stopAt = START + 24 * HOUR_MS;
  const database = await openCurrentDatabase(readConfig(process.env).database);
  await database.limitWriteMemory();
  const creators = watched(source, ids, INTERVAL_MS);
  const collector = simulate({ database, source, environment, timer, creators, isLoop: true, random: Math.random });
  await collector.run();
  const { user, system } = process.cpuUsage();
  const mib = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
  process.stdout.write(JSON.stringify({ calls: collector.calls.sent, us: user + system, mib }));
  await database.close();
  platform.kill();
}

/** Plays the platform, with an outage of an hour and cut connections, until it is killed. */
async function playPlatform(): Promise<void> {
  const { server, ids } = createPlatform();
  let now = START;
  process.on('message', (time) => {
    now = Number(time);
  });
  process.on('disconnect', () => process.exit());
  server.now = () => now;
  server.fault = ({ at }) => {
    if (at >= START + 10 * HOUR_MS && at < START + 11 * HOUR_MS) return 'down';
    return Math.random() < 0.02 ? 'cut' : 'none';
  };
  await server.start();
  const started: PlatformStarted = { ids, environment: server.environment };
  process.send?.(started);
}

function createPlatform() {
  switch (source) {
    case 'twitch': {
      const twitch = new TwitchServer();
      twitch.tokens.lifetimeMs = 4 * HOUR_MS;
      return { server: twitch, ids: twitch.add(count) };
    }
    case 'youtube': {
      const youtube = new YoutubeServer();
      return { server: youtube, ids: youtube.add(count, { videos: 50 }) };
    }
    case 'bluesky': {
      const bluesky = new BlueskyServer();
      return { server: bluesky, ids: bluesky.add(count, { posts: 50 }) };
    }
  }
}
