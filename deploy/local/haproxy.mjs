// @ts-check
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { NODES } from './ports.mjs';

/** @param {string} folder @param {import('./ports.mjs').Ports} at */
export function haproxyMember(folder, at) {
  const file = join(folder, 'haproxy.cfg');
  return {
    name: 'haproxy',
    command: 'haproxy',
    args: ['-f', file],
    prepare: async () => writeFileSync(file, configuration(folder, at)),
    isReady: async () => (await fetch(`http://127.0.0.1:${at.api}/`).catch(() => null)) !== null,
  };
}

/**
 * Finds the node that HAProxy writes to.
 * @param {string} folder @returns {Promise<string | null>} its name, null while HAProxy does not run
 */
export async function writtenNode(folder) {
  // Lines of `proxy,server,queued,most queued,sessions,…`.
  const lines = (await ask(folder, 'show stat').catch(() => '')).split('\n').map((line) => line.split(','));
  const nodes = lines.filter(([proxy, server]) => proxy === 'writer' && server?.startsWith('galera-'));
  // Another node may still have a connection from before.
  const [written] = nodes.toSorted((a, b) => Number(b[4]) - Number(a[4]));
  return written?.[1] ?? null;
}

/**
 * Removes a service from the running HAProxy (`maint`), or adds it again (`ready`).
 * @param {string} folder @param {string} service @param {'maint' | 'ready'} state
 */
export async function setServiceState(folder, service, state) {
  const answer = await ask(folder, `set server api/${service} state ${state}`);
  if (answer.trim() !== '') throw new Error(`HAProxy: ${answer.trim()}`);
}

/** Sends a command to the running HAProxy. @param {string} folder @param {string} command @returns {Promise<string>} */
async function ask(folder, command) {
  const socket = connect(runtimeSocket(folder));
  socket.end(`${command}\n`);
  const [answer] = await Promise.all([text(socket), once(socket, 'close')]);
  return answer;
}

const runtimeSocket = (/** @type {string} */ folder) => join(folder, 'haproxy.sock');

/** @param {string} folder @param {import('./ports.mjs').Ports} at */
function configuration(folder, at) {
  return `global
  maxconn 4000
  # The machine is shared with all others: one thread is enough, and takes no turns with a second one.
  nbthread 1
  stats socket ${runtimeSocket(folder)} mode 600 level admin
defaults
  timeout connect 1s
  timeout check 2s
  timeout client 65s
  timeout server 65s

# The service processes. One that cannot record is left out: its health check says so. One that takes no connection, at once.
listen api
  bind 127.0.0.1:${at.api}
  mode http
  # A service that is busy gets fewer requests: in turn, all would wait for the busiest one.
  balance leastconn
  option forwardfor
  option httpchk GET /health
  option redispatch 1
  retries 2
  http-reuse safe
  default-server check inter 1s fall 5 rise 1 observe layer4 error-limit 1 on-error mark-down on-marked-down shutdown-sessions
${NODES.map((nth) => `  server service-${nth} 127.0.0.1:${at.service(nth)}`).join('\n')}

# Write to one node, because two would conflict over the same totals. Stay on it until it fails, even if the previous node returns.
listen writer
  bind 127.0.0.1:${at.writer}
  mode tcp
  stick-table type ip size 1
  stick on dst
  timeout client 1h
  timeout server 1h
${checked(at, (nth) => (nth === 1 ? '' : ' backup'))}

# Records are read from every node.
listen reader
  bind 127.0.0.1:${at.reader}
  mode tcp
  balance leastconn
  timeout client 1h
  timeout server 1h
${checked(at, () => '')}
`;
}

/** @param {import('./ports.mjs').Ports} at @param {(nth: number) => string} further */
function checked(at, further) {
  const servers = NODES.map((nth) => {
    return `  server galera-${nth} 127.0.0.1:${at.galera(nth)} check port ${at.check(nth)}${further(nth)}`;
  });
  return [
    '  option httpchk GET /',
    '  default-server inter 500ms fall 2 rise 2 on-marked-down shutdown-sessions',
    ...servers,
  ].join('\n');
}
