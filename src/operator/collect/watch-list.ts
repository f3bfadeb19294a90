import { parse } from 'csv-parse/sync';
import { foldHandle, stripAt } from '../../features/profiles/handle.js';
import { SOURCE_PLATFORMS, sourceOf, type CreatorSource } from './collect-source.js';
import { DURATION_RULE, parseDuration } from './duration.js';

/** A creator to collect. */
export interface WatchedCreator {
  readonly source: CreatorSource;
  /** ID of the creator, or `@` and the folded handle. */
  readonly target: string;
  /** Interval in milliseconds. */
  readonly everyMs: number;
  /** How long the platform lets statistics be kept, in milliseconds; null: without limit. */
  readonly keepMs: number | null;
}

/** A line of a watch list that cannot be used. */
export class WatchListError extends Error {
  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`);
  }
}

const MEMBERS = ['platform_id', 'id', 'handle', 'every', 'keep'];

const DAY_MS = 86_400_000;

/** Retention that the terms of a platform ask for unless an agreement says otherwise. */
export const DEFAULT_RETENTION_MS: Readonly<Record<CreatorSource, number | null>> = {
  twitch: null,
  youtube: 30 * DAY_MS,
  bluesky: null,
};

/** A wrong ID would make the platform reject the call about the others, too. */
const ID_RULES: Readonly<Record<CreatorSource, readonly [RegExp, string]>> = {
  twitch: [/^\d{1,20}$/, 'must be a number, such as 141981764'],
  youtube: [/^UC[\w-]{22}$/, 'must be the ID of a channel: UC and 22 characters'],
  bluesky: [/^did:[a-z]+:[\w.:%-]{1,200}$/, 'must be a DID, such as did:plc:z72i7hdynmk6r22z27h6tvur'],
};

const HANDLE_RULES: Readonly<Record<CreatorSource, readonly [RegExp, string]>> = {
  twitch: [/^\w{1,25}$/, 'must be the login: up to 25 letters, digits or _'],
  youtube: [/^[\p{L}\p{M}\p{N}._·-]{1,100}$/u, 'must be a handle, such as @nasa'],
  bluesky: [/^(?:[a-z\d-]{1,63}\.)+[a-z][a-z\d-]{0,62}$/, 'must be a domain name, such as bsky.app'],
};

/** Reports whether the API of a source accepts an ID. */
export const isAcceptedId = (source: CreatorSource, id: string): boolean => ID_RULES[source][0].test(id);

/** Returns an ID in an answer; null if there is none, or no such creator can exist. */
export const acceptedId = (source: CreatorSource, id: string | null): string | null =>
  id !== null && isAcceptedId(source, id) ? id : null;

/**
 * Parses a watch list: NDJSON, or CSV with a header. Of several lines about a creator, the shortest interval and retention win.
 * @param defaultEveryMs interval of lines without `every`
 * @throws WatchListError for the first line that cannot be used
 */
export function parseWatchList(text: string, isCsv: boolean, defaultEveryMs: number): WatchedCreator[] {
  const creators = new Map<string, WatchedCreator>();
  for (const { line, members } of isCsv ? readCsv(text) : readNdjson(text)) {
    const creator = parseCreator(line, members, defaultEveryMs);
    const key = `${creator.source} ${creator.target}`;
    const { everyMs, keepMs } = creators.get(key) ?? creator;
    const keep = Math.min(keepMs ?? Infinity, creator.keepMs ?? Infinity);
    const merged = { everyMs: Math.min(everyMs, creator.everyMs), keepMs: keep === Infinity ? null : keep };
    creators.set(key, { ...creator, ...merged });
  }
  return [...creators.values()];
}

interface WatchListLine {
  readonly line: number;
  readonly members: Readonly<Record<string, unknown>>;
}

function* readNdjson(text: string): Generator<WatchListLine> {
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue;
    let members: unknown;
    try {
      members = JSON.parse(line);
    } catch {
      throw new WatchListError(index + 1, 'not JSON; the name of a list in CSV must end in .csv');
    }
    if (typeof members !== 'object' || members === null || Array.isArray(members))
      throw new WatchListError(index + 1, 'must be an object');
    yield { line: index + 1, members: members as WatchListLine['members'] };
  }
}

function* readCsv(text: string): Generator<WatchListLine> {
  interface Row {
    readonly record: Record<string, string>;
    readonly info: { readonly lines: number };
  }
  let rows: Row[];
  try {
    const options = { bom: true, columns: true, info: true, skip_empty_lines: true, trim: true };
    rows = parse(text, options) as unknown as Row[];
  } catch (error) {
    const { lines = 1, message } = error as { lines?: number; message: string };
    throw new WatchListError(lines, message.split('\n', 1)[0] ?? 'invalid CSV');
  }
  for (const { record, info } of rows) {
    const filled = Object.entries(record).filter(([, value]) => value !== '');
    yield { line: info.lines, members: Object.fromEntries(filled) };
  }
}

function parseCreator(line: number, members: WatchListLine['members'], defaultEveryMs: number): WatchedCreator {
  const fail = (reason: string): never => {
    throw new WatchListError(line, reason);
  };
  const unknown = Object.keys(members).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) fail(`unknown member ${unknown}; the members are ${MEMBERS.join(', ')}`);
  const text = (name: string): string | undefined => {
    const value = members[name];
    if (value === undefined || value === null) return undefined;
    return typeof value === 'string' ? value : fail(`${name} must be a string`);
  };
  const platform = text('platform_id');
  const source = sourceOf(platform ?? '') ?? fail(`platform_id must be one of ${PLATFORM_NAMES}`);
  const target = parseTarget(source, text('id'), text('handle'), fail);
  const everyMs = parseMember('every', text('every'), fail) ?? defaultEveryMs;
  const keep = text('keep');
  const keepMs = keep === 'none' ? null : (parseMember('keep', keep, fail) ?? DEFAULT_RETENTION_MS[source]);
  if (keepMs !== null && everyMs > keepMs) fail('every must not be longer than keep');
  return { source, target, everyMs, keepMs };
}

const PLATFORM_NAMES = Object.values(SOURCE_PLATFORMS).join(', ');

function parseTarget(
  source: CreatorSource,
  id: string | undefined,
  handle: string | undefined,
  fail: (reason: string) => never,
): string {
  if (id !== undefined) {
    const [rule, problem] = ID_RULES[source];
    return rule.test(id) ? id : fail(`id ${problem}`);
  }
  if (handle === undefined) fail('id or handle is missing');
  const folded = foldHandle(stripAt(handle ?? ''));
  const [rule, problem] = HANDLE_RULES[source];
  return rule.test(folded) ? `@${folded}` : fail(`handle ${problem}`);
}

function parseMember(name: string, text: string | undefined, fail: (reason: string) => never): number | undefined {
  if (text === undefined) return undefined;
  return parseDuration(text) ?? fail(`${name} ${DURATION_RULE}`);
}
