// @ts-check
/**
 * Loads, independent of a server's API: a load generates `Ask`s, and a target turns them into requests of its server. The
 * same seed gives every server the same asks in the same order.
 */
import { isDeepStrictEqual } from 'node:util';
import { PLATFORM, content, dayAt, gameId, indexOf, profile, profileId } from './data.mjs';
import { random } from './randomness.mjs';

/**
 * @typedef {{ profiles: number, content: number }} Sizes
 * @typedef {{ kind: 'profile', index: number }
 *   | { kind: 'item', id: string }
 *   | { kind: 'profiles', indexes: number[] }
 *   | { kind: 'list', limit: number, share: number }
 *   | { kind: 'game', game: number, limit: number }} Ask `share` is how deep in the list, 0 the first page
 * @typedef {{ name: string, title: string, count: number, ask: (next: () => number, sizes: Sizes) => Ask }} Load
 */

const below = (/** @type {() => number} */ next, /** @type {number} */ limit) => Math.floor(next() * limit);

/** @type {Record<string, Load>} */
export const LOADS = {
  single: {
    name: 'single',
    title: 'single profile',
    count: 200_000,
    ask: (next, { profiles }) => ({ kind: 'profile', index: below(next, profiles) }),
  },
  list: {
    name: 'list',
    title: 'list of 50',
    count: 300,
    // Every tenth request reads the first page, the others pages anywhere in the list.
    ask: (next) => ({ kind: 'list', limit: 50, share: next() < 0.1 ? 0 : Math.round(next() * 950) / 1000 }),
  },
  batch: {
    name: 'batch',
    title: 'batch of 100',
    count: 5_000,
    ask: (next, { profiles }) => {
      const indexes = new Set();
      while (indexes.size < Math.min(100, profiles)) indexes.add(below(next, profiles));
      return { kind: 'profiles', indexes: [...indexes] };
    },
  },
  game: {
    name: 'game',
    title: 'game content 20',
    count: 2_000,
    ask: (next) => ({ kind: 'game', game: below(next, 200), limit: 20 }),
  },
};

/** Generates the asks of a load, always the same ones. @returns {Ask[]} */
export function asksOf(/** @type {Load} */ load, /** @type {Sizes} */ sizes) {
  const next = random(7);
  return Array.from({ length: load.count }, () => load.ask(next, sizes));
}

/**
 * Turns asks into requests for servers with the API of the service: B, the tutorial's and ours. Cursors come from the
 * server. Filters may change between pages, so a page with `end_date` gives a cursor to that place in the unfiltered list.
 * @param {Ask[]} asks @param {(path: string) => Promise<any>} get
 * @returns {Promise<import('./load.mjs').HttpRequest[]>}
 */
export async function apiRequests(asks, get) {
  const base = `/platforms/${PLATFORM}`;
  /** @type {Map<number, string>} */
  const cursors = new Map();
  const requests = [];
  for (const ask of asks) {
    if (ask.kind === 'profile') requests.push(GET(`${base}/profiles/${profileId(ask.index)}`));
    else if (ask.kind === 'item') requests.push(GET(`${base}/content/${ask.id}`));
    else if (ask.kind === 'game') requests.push(GET(`${base}/games/${gameId(ask.game)}/content?limit=${ask.limit}`));
    else if (ask.kind === 'profiles') {
      const body = JSON.stringify({ profile_ids: ask.indexes.map(profileId) });
      requests.push({ method: /** @type {const} */ ('POST'), path: `${base}/profiles`, body });
    } else {
      const path = `${base}/content?limit=${ask.limit}`;
      if (ask.share > 0 && !cursors.has(ask.share)) {
        const page = await get(`${base}/content?limit=1&end_date=${dayAt(ask.share)}`);
        cursors.set(ask.share, String(page.paging.next_cursor));
      }
      requests.push(GET(ask.share > 0 ? `${path}&cursor=${cursors.get(ask.share)}` : path));
    }
  }
  return requests;
}

const GET = (/** @type {string} */ path) => ({ method: /** @type {const} */ ('GET'), path });

/** Describes what is wrong with a response, if anything. */
export function wrongWith(/** @type {Ask} */ ask, /** @type {any} */ body, /** @type {Sizes} */ sizes) {
  if (!body?.meta?.received_at) return 'meta.received_at is missing';
  const { payload } = body;
  if (ask.kind === 'profile') return differs(payload, profile(ask.index));
  if (ask.kind === 'item') return differs(payload, content(indexOf(ask.id), sizes.profiles));
  if (ask.kind === 'profiles') {
    if (payload.length !== ask.indexes.length || body.meta.missing_ids.length !== 0)
      return `${payload.length} profiles`;
    return ask.indexes.map((index, at) => differs(payload[at], profile(index))).find(Boolean);
  }
  if (payload.length !== ask.limit || !body.paging?.next_cursor)
    return `a page of ${payload.length} with ${body.paging?.next_cursor}`;
  const times = payload.map((/** @type {any} */ item) => item.created_at);
  if (!isDeepStrictEqual(times, [...times].sort().reverse())) return 'not in order';
  for (const item of payload) {
    const problem = differs(item, content(indexOf(item.content_id), sizes.profiles));
    if (problem) return problem;
    if (ask.kind === 'game' && !item.categories.some((/** @type {any} */ c) => c.id === gameId(ask.game)))
      return 'of another game';
  }
  return undefined;
}

function differs(/** @type {unknown} */ got, /** @type {unknown} */ wanted) {
  if (isDeepStrictEqual(got, wanted)) return undefined;
  return `answered ${JSON.stringify(got)}\ninstead of ${JSON.stringify(wanted)}`;
}
