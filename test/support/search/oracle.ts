import type { Creator } from './creators.js';

/** Body of a search. */
export interface SearchBody {
  text?: string;
  filters?: Filters;
  not?: Filters;
  exclude_ids?: string[];
  sort?: 'followers' | 'last_active_at';
  order?: 'asc' | 'desc';
  limit?: number;
  cursor?: string;
  count?: boolean;
  facets?: string[];
}

export interface Filters {
  followers?: { min?: number; max?: number };
  language?: string[];
  account_type?: string[];
  is_mature?: boolean;
  last_active_after?: string;
  game_ids?: string[];
  topics?: string[];
  countries?: string[];
  has?: string[];
}

const plainTexts = new Map<string, string>();

function plain(text: string): string {
  let folded = plainTexts.get(text);
  if (folded === undefined) plainTexts.set(text, (folded = fold(text)));
  return folded;
}

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss');

const piecesOf = (text: string): string[][] =>
  text
    .replaceAll("'", '')
    .split(/\s+/)
    .map((piece) =>
      plain(piece)
        .split(/[^\p{L}\p{N}]+/u)
        .filter((part) => part !== ''),
    )
    .filter((parts) => parts.length > 0);

let lastText = '';
let lastWords: string[][] = [];

/** Splits the text of a search, which is the same for every creator. */
function wordsOf(text: string): string[][] {
  if (text !== lastText) [lastText, lastWords] = [text, piecesOf(text)];
  return lastWords;
}

/** Lists the texts that a word may begin: from each part on; in Japanese from each character on. */
const beginningsOf = (text: string | null): string[] =>
  piecesOf(text ?? '').flatMap((parts) =>
    parts.flatMap((part, index) => {
      const rest = parts.slice(index + 1).join('');
      const isJapanese = /[\u3040-\u30ff\u4e00-\u9fff]/.test(part);
      return isJapanese ? Array.from(part, (_, at) => part.slice(at) + rest) : [part + rest];
    }),
  );

/** Beginnings by creator: thousands of searches look at them. */
const known = new WeakMap<Creator, readonly string[]>();

function allBeginningsOf(creator: Creator): readonly string[] {
  let beginnings = known.get(creator);
  if (beginnings === undefined) {
    const { name, display_name, description } = creator.profile;
    known.set(creator, (beginnings = [...new Set([name, display_name, description].flatMap(beginningsOf))]));
  }
  return beginnings;
}

function matchesText(creator: Creator, text: string): boolean {
  const beginnings = allBeginningsOf(creator);
  const begins = (word: string) => beginnings.some((beginning) => beginning.startsWith(word));
  const pieces = wordsOf(text);
  return pieces.length > 0 && pieces.every((parts) => begins(parts.join('')) || parts.every(begins));
}

const documentsOf = ({ topics, hasEmail, hasAudience, links }: Creator): string[] => [
  ...(topics === null ? [] : ['analysis']),
  ...(hasEmail ? ['email'] : []),
  ...(hasAudience ? ['audience'] : []),
  ...(links === null || links === 0 ? [] : ['socials']),
];

const isAmong = (value: string | null, wanted: readonly string[], same: (text: string) => string): boolean =>
  value !== null && wanted.some((one) => same(one) === same(value));

const idBytes = new WeakMap<Creator, Buffer>();

function bytesOf(creator: Creator): Buffer {
  let bytes = idBytes.get(creator);
  if (bytes === undefined) idBytes.set(creator, (bytes = Buffer.from(creator.profile.id)));
  return bytes;
}

const lower = (text: string): string => text.toLowerCase();
const exact = (text: string): string => text;

/** Whether a creator meets each condition. @param hasAll whether `has` needs all of its documents */
function conditionsOf(creator: Creator, filters: Filters, hasAll: boolean): boolean[] {
  const { profile, topics, country, games } = creator;
  const { followers } = profile.statistics;
  const met: boolean[] = [];
  if (filters.followers !== undefined) {
    const { min = -Infinity, max = Infinity } = filters.followers;
    met.push(followers !== null && followers >= min && followers <= max);
  }
  if (filters.language !== undefined) met.push(isAmong(profile.language, filters.language, lower));
  if (filters.account_type !== undefined) met.push(isAmong(profile.account_type, filters.account_type, exact));
  if (filters.is_mature !== undefined) met.push(profile.is_mature === filters.is_mature);
  if (filters.last_active_after !== undefined) {
    met.push(profile.last_active_at !== null && profile.last_active_at >= `${filters.last_active_after}T`);
  }
  if (filters.game_ids !== undefined) met.push(games.some((game) => filters.game_ids?.includes(game)));
  if (filters.topics !== undefined) {
    met.push((topics ?? []).some((topic) => isAmong(topic, filters.topics ?? [], plain)));
  }
  if (filters.countries !== undefined) met.push(isAmong(country, filters.countries, lower));
  if (filters.has !== undefined) {
    const documents = documentsOf(creator);
    const has = (name: string) => documents.includes(name);
    met.push(hasAll ? filters.has.every(has) : filters.has.some(has));
  }
  return met;
}

/** Finds all creators of a search, in its order, by looking at each. */
export function findByScan(creators: readonly Creator[], body: SearchBody): Creator[] {
  const { text, filters = {}, not = {}, exclude_ids = [], sort = 'followers', order = 'desc' } = body;
  const excluded = new Set(exclude_ids);
  const found = creators.filter(
    (creator) =>
      !excluded.has(creator.profile.id) &&
      conditionsOf(creator, filters, true).every(Boolean) &&
      !conditionsOf(creator, not, false).some(Boolean) &&
      (text === undefined || matchesText(creator, text)),
  );
  const valueOf = ({ profile }: Creator): number => {
    if (sort === 'followers') return profile.statistics.followers ?? -Infinity;
    return profile.last_active_at === null ? -Infinity : Date.parse(profile.last_active_at);
  };
  const compare = (a: Creator, b: Creator): number => {
    const [left, right] = [valueOf(a), valueOf(b)];
    if (left !== right) return left < right ? -1 : 1;
    return Buffer.compare(bytesOf(a), bytesOf(b));
  };
  return found.sort((a, b) => (order === 'asc' ? compare(a, b) : compare(b, a)));
}

const FACET_VALUES: Readonly<Record<string, (creator: Creator) => readonly (string | null)[]>> = {
  language: ({ profile }) => [profile.language],
  account_type: ({ profile }) => [profile.account_type],
  topics: ({ topics }) => topics ?? [],
  countries: ({ country }) => [country],
};

/** Spellings of the values of each facet, the most frequent first. */
const allSpellings = new Map<string, [string, number][]>();

/** Counts the values of a facet. @param all every creator, whose spelling of a value decides */
export function countByScan(
  found: readonly Creator[],
  all: readonly Creator[],
  facet: string,
): { value: string; count: number }[] {
  const valuesOf = FACET_VALUES[facet];
  if (valuesOf === undefined) throw new Error(`no facet ${facet}`);
  const same = facet === 'topics' ? plain : facet === 'account_type' ? exact : lower;
  const tally = (creators: readonly Creator[], key: (value: string) => string) => {
    const counts = new Map<string, number>();
    for (const creator of creators) {
      const values = new Set(valuesOf(creator).flatMap((value) => (value === null ? [] : [key(value)])));
      for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return counts;
  };
  const byCount = (a: readonly [string, number], b: readonly [string, number]) =>
    b[1] - a[1] || Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0]));
  const key = `${all.length} ${facet}`;
  const spellings = allSpellings.get(key) ?? [...tally(all, exact)].sort(byCount);
  allSpellings.set(key, spellings);
  const told = (value: string) => spellings.find(([spelling]) => same(spelling) === value)?.[0] ?? '';
  return Array.from(tally(found, same), ([value, count]) => [told(value), count] as const)
    .sort(byCount)
    .slice(0, 20)
    .map(([value, count]) => ({ value, count }));
}
