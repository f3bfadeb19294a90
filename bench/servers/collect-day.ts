/**
 * Collects for a simulated day in this process, which also plays the platform. Prints calls, CPU time and peak memory as JSON:
 * node collect-day.mjs SOURCE CREATORS
 */
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { CreatorSource } from '../../src/operator/collect/collect-source.js';
import { readConfig } from '../../src/model/config.js';
import { openCurrentDatabase } from '../../src/schema/open-database.js';
import { BlueskyServer } from '../../test/support/collect/bluesky-server.js';
import { SimulatedTimer, simulate, watched } from '../../test/support/collect/simulation.js';
import { TwitchServer } from '../../test/support/collect/twitch-server.js';
import { YoutubeServer } from '../../test/support/collect/youtube-server.js';

// As the command does.
setFlagsFromString('--optimize-for-size');

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-03-02T00:00:00Z');
const CADENCE_MS = 6 * HOUR_MS;

const [source, count] = [process.argv[2] as CreatorSource, Number(process.argv[3])];

const timer = new SimulatedTimer(START);
const { server, ids } = startedServer();
server.now = timer.now;
server.fault = ({ at }) => {
  if (at >= START + 10 * HOUR_MS && at < START + 11 * HOUR_MS) return 'down';
  return Math.random() < 0.02 ? 'cut' : 'none';
};
let calls = 0;
server.afterAnswer = () => {
  calls += 1;
  // The memory of the platform is not the collector's.
  server.calls.length = 0;
  server.answered.length = 0;
};
await server.start();
const database = await openCurrentDatabase(readConfig(process.env).database);
const creators = watched(source, ids, CADENCE_MS);
timer.stopAt = START + 24 * HOUR_MS;
const { environment } = server;
await simulate({ database, source, environment, timer, creators, isLoop: true, random: Math.random }).run();
const { user, system } = process.cpuUsage();
const mib = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
process.stdout.write(JSON.stringify({ calls, us: user + system, mib }));
await database.close();
await server.stop();

function startedServer() {
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
