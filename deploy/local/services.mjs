// @ts-check
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODES } from './ports.mjs';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** @param {string} folder @param {import('./ports.mjs').Ports} at */
export function serviceMembers(folder, at) {
  return NODES.map((nth) => service(folder, at, nth));
}

/** @param {string} folder @param {import('./ports.mjs').Ports} at @param {number} nth */
function service(folder, at, nth) {
  const port = at.service(nth);
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: at.databaseUrl,
    DATABASE_REPLICA_URLS: at.replicaUrl,
    REDIS_URL: at.redisUrl,
    DATA_DIR: join(folder, `service-${nth}`),
    TRUST_PROXY: '1',
  };
  return {
    name: `service-${nth}`,
    command: process.execPath,
    args: [join(PROJECT, 'dist/bundle/main.mjs')],
    env,
    cwd: PROJECT,
    prepare: async () => {
      if (nth > 1) return;
      const { status, stderr } = spawnSync(process.execPath, [join(PROJECT, 'dist/bundle/cli.mjs'), 'migrate'], {
        cwd: PROJECT,
        env: { PATH: process.env.PATH, ...env },
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`the schema could not be made: ${stderr}`);
    },
    isReady: async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
      return answer?.status === 200;
    },
  };
}
