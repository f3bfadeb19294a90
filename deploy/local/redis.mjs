// @ts-check
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { NODES, REDIS_NAME } from './ports.mjs';

const DOWN_AFTER_MS = 1000;

/** A primary, its replica and three Sentinels. @param {string} folder @param {import('./ports.mjs').Ports} at */
export function redisMembers(folder, at) {
  return [...[1, 2].map((nth) => redis(folder, at, nth)), ...NODES.map((nth) => sentinel(folder, at, nth))];
}

/** @param {string} folder @param {import('./ports.mjs').Ports} at @param {number} nth */
function redis(folder, at, nth) {
  const port = at.redis(nth);
  const data = join(folder, `redis-${nth}`);
  return {
    name: `redis-${nth}`,
    command: 'redis-server',
    args: [],
    prepare: async () => {
      mkdirSync(data, { recursive: true });
      const lines = [
        'bind 127.0.0.1',
        `port ${port}`,
        `dir ${data}`,
        'save ""',
        'appendonly no',
        'repl-diskless-sync-delay 0',
      ];
      const primary = await primaryPort(at);
      // The former primary may be a replica now.
      if (primary !== port && (primary !== null || nth > 1))
        lines.push(`replicaof 127.0.0.1 ${primary ?? at.redis(1)}`);
      return [configured(join(data, 'redis.conf'), lines)];
    },
    isReady: async () => (await asked(port, 'PING')) === 'PONG',
  };
}

/** @param {string} folder @param {import('./ports.mjs').Ports} at @param {number} nth */
function sentinel(folder, at, nth) {
  const port = at.sentinel(nth);
  const data = join(folder, `sentinel-${nth}`);
  const file = join(data, 'sentinel.conf');
  return {
    name: `sentinel-${nth}`,
    command: 'redis-server',
    args: [],
    prepare: async () => {
      mkdirSync(data, { recursive: true });
      // Sentinel rewrites its configuration file.
      if (existsSync(file)) return [file, '--sentinel'];
      const lines = [
        'bind 127.0.0.1',
        `port ${port}`,
        `dir ${data}`,
        `sentinel monitor ${REDIS_NAME} 127.0.0.1 ${at.redis(1)} 2`,
        `sentinel down-after-milliseconds ${REDIS_NAME} ${DOWN_AFTER_MS}`,
        `sentinel failover-timeout ${REDIS_NAME} 5000`,
      ];
      return [configured(file, lines), '--sentinel'];
    },
    // The last Sentinel is ready when all know each other and the replica; before, they cannot fail over.
    isReady: async () => {
      if (nth < NODES.length) return (await asked(port, 'PING')) === 'PONG';
      const replicas = await asked(port, 'SENTINEL', 'replicas', REDIS_NAME);
      const quorum = await asked(port, 'SENTINEL', 'ckquorum', REDIS_NAME);
      return Array.isArray(replicas) && replicas.length > 0 && String(quorum).startsWith('OK 3');
    },
  };
}

/** @param {string} file @param {readonly string[]} lines @returns {string} the file */
function configured(file, lines) {
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** Port of the primary, according to the Sentinels. @param {import('./ports.mjs').Ports} at @returns {Promise<number | null>} */
async function primaryPort(at) {
  for (const nth of NODES) {
    const address = await asked(at.sentinel(nth), 'SENTINEL', 'get-master-addr-by-name', REDIS_NAME);
    if (Array.isArray(address)) return Number(address[1]);
  }
  return null;
}

/** @param {number} port @param {string} command @param {readonly string[]} args @returns {Promise<unknown>} */
async function asked(port, command, ...args) {
  const client = new Redis({
    host: '127.0.0.1',
    port,
    lazyConnect: true,
    retryStrategy: () => null,
    commandTimeout: 1000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await client.call(command, ...args);
  } catch {
    return null;
  } finally {
    client.disconnect();
  }
}
