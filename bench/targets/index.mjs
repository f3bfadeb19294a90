// @ts-check
/** Servers that can be measured, by their names on the command line. */
import { b, bWithDocuments } from './b.mjs';
import { directus } from './directus.mjs';
import { ours } from './ours.mjs';
import { tutorial } from './tutorial.mjs';

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {string} title name in the tables
 * @property {Record<string, string>} headers headers of every request; `prepare` may add some
 * @property {(sizes: import('../loads.mjs').Sizes, say: (text: string) => void) => Promise<void>} prepare
 *   loads what is missing
 * @property {() => Promise<import('../processes.mjs').RunningServer>} start
 * @property {(asks: import('../loads.mjs').Ask[], get: (path: string) => Promise<any>) =>
 *   Promise<import('../load.mjs').HttpRequest[]>} requests turns asks into requests
 * @property {typeof import('../loads.mjs').wrongWith} wrongWith
 */

/** @type {Record<string, () => Target>} */
export const TARGETS = {
  b: () => b(),
  bdocs: () => bWithDocuments(),
  tutorial,
  directus,
  ours: () => ours('mysql'),
  'ours-sqlite': () => ours('sqlite'),
  'ours-compiled': () => ours('mysql', undefined, true, false),
  'ours-unrecorded': () => ours('mysql', undefined, false),
  'ours-sqlite-unrecorded': () => ours('sqlite', undefined, false),
};

/** Creates a function that gets JSON from a running server, with its target's headers. */
export const getter =
  (/** @type {import('../processes.mjs').RunningServer} */ server, /** @type {Target} */ target) =>
  async (/** @type {string} */ path) => {
    const response = await fetch(server.origin + path, { headers: target.headers });
    if (!response.ok)
      throw new Error(`${target.name} answered ${response.status} to ${path}: ${await response.text()}`);
    return /** @type {any} */ (await response.json());
  };

/**
 * Turns asks into requests, sends a few of them once, and checks the responses against the generated records.
 * @param {Target} target @param {import('../processes.mjs').RunningServer} server
 * @param {import('../loads.mjs').Ask[]} asks @param {import('../loads.mjs').Sizes} sizes
 */
export async function checkedRequests(target, server, asks, sizes) {
  const requests = await target.requests(asks, getter(server, target));
  for (let at = 0; at < Math.min(requests.length, 12); at++) {
    const request = /** @type {import('../load.mjs').HttpRequest} */ (requests[at]);
    const response = await fetch(server.origin + request.path, {
      method: request.method,
      headers: { ...target.headers, ...(request.body && { 'content-type': 'application/json' }) },
      ...(request.body && { body: request.body }),
    });
    const text = await response.text();
    const ask = /** @type {import('../loads.mjs').Ask} */ (asks[at]);
    const problem =
      response.status === 200
        ? target.wrongWith(ask, JSON.parse(text), sizes)
        : `${response.status} ${text.slice(0, 500)}`;
    if (problem) throw new Error(`${target.name} answers ${request.method} ${request.path} wrongly: ${problem}`);
  }
  return requests;
}
