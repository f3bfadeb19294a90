// @ts-check
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConnection } from 'mysql2/promise';
import { writtenNode } from './haproxy.mjs';
import { NODES } from './ports.mjs';

const PROVIDER = '/usr/lib/galera/libgalera_smm.so';

/** State transfer by rsync cannot read root's folders. */
const USER = userInfo().uid === 0 ? 'mysql' : userInfo().username;

/** Drops a dead node after 1.5 s instead of 5, because no commit succeeds until then. */
const TIMEOUTS = [
  'evs.keepalive_period=PT0.5S',
  'evs.inactive_check_period=PT0.5S',
  'evs.suspect_timeout=PT1.5S',
  'evs.inactive_timeout=PT3S',
  'evs.install_timeout=PT3S',
];

/** @param {string} folder @param {import('./ports.mjs').Ports} at @returns {import('./cluster.mjs').Member[]} */
export function galeraMembers(folder, at) {
  const nodes = NODES.map((nth) => node(folder, at, nth));
  return [...nodes, check(at)];
}

/** @param {string} folder @param {import('./ports.mjs').Ports} at @param {number} nth */
function node(folder, at, nth) {
  const data = join(folder, `galera-${nth}`);
  const others = NODES.filter((other) => other !== nth).map((other) => `127.0.0.1:${at.galeraGroup(other)}`);
  const args = [
    '--no-defaults',
    `--datadir=${data}`,
    `--user=${USER}`,
    '--bind-address=127.0.0.1',
    `--port=${at.galera(nth)}`,
    `--socket=${join(data, 'socket')}`,
    '--skip-name-resolve',
    '--innodb-buffer-pool-size=256M',
    '--binlog-format=ROW',
    '--default-storage-engine=InnoDB',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-on=ON',
    `--wsrep-provider=${PROVIDER}`,
    '--wsrep-cluster-name=creator-data',
    `--wsrep-node-name=galera-${nth}`,
    `--wsrep-node-address=127.0.0.1:${at.galeraGroup(nth)}`,
    `--wsrep-node-incoming-address=127.0.0.1:${at.galera(nth)}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${at.galeraState(nth)}`,
    `--wsrep-provider-options=${[
      `gmcast.listen_addr=tcp://127.0.0.1:${at.galeraGroup(nth)}`,
      `ist.recv_addr=127.0.0.1:${at.galeraState(nth) + 5}`,
      'gcache.size=128M',
      ...TIMEOUTS,
    ].join(';')}`,
  ];
  return {
    name: `galera-${nth}`,
    command: 'mariadbd',
    args,
    prepare: async () => {
      const isNew = !existsSync(data);
      if (isNew) install(data);
      // The first node bootstraps a cluster that is down; the others join.
      if (await isAnyOther(at, nth))
        return [
          `--wsrep-cluster-address=gcomm://${others.join()}`,
          await donors(folder, nth),
          ...position(data, isNew),
        ];
      if (!isNew && !mayBegin(data)) throw new Error(`galera-${nth} was not the last one: start another first`);
      return ['--wsrep-new-cluster', `--wsrep-cluster-address=gcomm://${others.join()}`];
    },
    isReady: async () => {
      if (!(await isSynced(at.galera(nth), 'root'))) return false;
      if (nth === 1) await grant(at.galera(nth));
      return true;
    },
  };
}

/** Names the nodes that bring a joining one up to date, the written one last: HAProxy takes no donor for healthy.
 * @param {string} folder @param {number} nth */
async function donors(folder, nth) {
  const written = await writtenNode(folder);
  const others = NODES.filter((other) => other !== nth).map((other) => `galera-${other}`);
  const writtenLast = others.toSorted((a, b) => Number(a === written) - Number(b === written));
  // A comma at the end permits any node.
  return `--wsrep-sst-donor=${writtenLast.join()},`;
}

/** Serves the health checks of the nodes to HAProxy. @param {import('./ports.mjs').Ports} at */
function check(at) {
  return {
    name: 'galera-check',
    command: process.execPath,
    args: [
      fileURLToPath(new URL('galera-check.mjs', import.meta.url)),
      ...NODES.map((nth) => `${at.check(nth)}:${at.galera(nth)}`),
    ],
    isReady: async () => (await fetch(`http://127.0.0.1:${at.check(1)}/`).catch(() => null)) !== null,
  };
}

/** @param {string} data */
function install(data) {
  const args = ['--no-defaults', `--datadir=${data}`, `--user=${USER}`];
  const further = ['--auth-root-authentication-method=normal', '--skip-test-db'];
  execFileSync('mariadb-install-db', [...args, ...further], { stdio: 'pipe' });
}

/** Recovered position of a killed node, so that it receives only the missing transactions. @param {string} data @param {boolean} isNew */
function position(data, isNew) {
  if (isNew) return [];
  const args = ['--no-defaults', `--datadir=${data}`, `--user=${USER}`, '--wsrep-recover'];
  const provider = ['--wsrep-on=ON', `--wsrep-provider=${PROVIDER}`, '--binlog-format=ROW', '--skip-networking'];
  const { stderr } = spawnSync('mariadbd', [...args, ...provider, `--socket=${join(data, 'recover')}`], {
    encoding: 'utf8',
  });
  const [, found] = /Recovered position:\s*([\w-]+:-?\d+)/.exec(stderr) ?? [];
  return found === undefined ? [] : [`--wsrep-start-position=${found}`];
}

/** @param {string} data */
const mayBegin = (data) => /safe_to_bootstrap:\s*1/.test(readFileSync(join(data, 'grastate.dat'), 'utf8'));

/** @param {import('./ports.mjs').Ports} at @param {number} nth */
async function isAnyOther(at, nth) {
  for (const other of NODES) if (other !== nth && (await isSynced(at.galera(other), 'root'))) return true;
  return false;
}

/** Whether a node is in the primary component and synced. @param {number} port @param {string} user */
export async function isSynced(port, user) {
  try {
    const connection = await createConnection({ host: '127.0.0.1', port, user, connectTimeout: 500 });
    connection.on('error', () => undefined);
    try {
      const [rows] = await connection.query({ sql: "SHOW STATUS LIKE 'wsrep_local_state'", timeout: 500 });
      return /** @type {{ Value: string }[]} */ (rows)[0]?.Value === '4';
    } finally {
      connection.destroy();
    }
  } catch {
    return false;
  }
}

/** @param {number} port */
async function grant(port) {
  const connection = await createConnection({ host: '127.0.0.1', port, user: 'root' });
  for (const sql of [
    'CREATE DATABASE IF NOT EXISTS creator_data',
    "CREATE USER IF NOT EXISTS creator_data@'127.0.0.1'",
    "GRANT ALL ON creator_data.* TO creator_data@'127.0.0.1'",
    "CREATE USER IF NOT EXISTS check_node@'127.0.0.1'",
  ])
    await connection.query(sql);
  await connection.end();
}
