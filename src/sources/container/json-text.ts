import { isTooDeep, MAX_JSON_DEPTH } from '../../model/json-depth.js';

/** Matches integers that may lose digits when parsed as a number. */
const MAY_HAVE_LARGE_INTEGER = /[:,[]\s*-?\d{16,}\s*[,}\]]/;

/** Members that make a downloader's document large without describing the item. */
const BULKY_MEMBERS = [
  'formats',
  'requested_formats',
  'requested_downloads',
  'automatic_captions',
  'subtitles',
  'heatmap',
  'comments',
];

/** Documents of at most this length keep their bulky members. */
const MIN_LARGE_CHARACTERS = 256 * 1024;

/** Valid JSON whose nesting could overflow the stack of code that recurses into it. */
export class TooDeepError extends SyntaxError {
  constructor() {
    super(`nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
}

/**
 * Parses JSON; integers beyond the safe range become strings.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const lean = text.length > MIN_LARGE_CHARACTERS && text.includes('"extractor') ? dropBulkyMembers(text) : text;
  const value: unknown = JSON.parse(MAY_HAVE_LARGE_INTEGER.test(lean) ? quoteUnsafeIntegers(lean) : lean);
  if (isTooDeep(value)) throw new TooDeepError();
  return value;
}

/**
 * Quotes integers beyond the safe range. Strings are skipped with `indexOf`, because a regular expression for strings takes
 * quadratic time for a string that is never closed.
 */
function quoteUnsafeIntegers(text: string): string {
  const tokens = /"|-?\d[\d.eE+-]*/g;
  let quoted = '';
  let from = 0;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const [token] = found;
    if (token === '"') {
      const end = findStringEnd(text, found.index + 1);
      if (end === -1) break;
      tokens.lastIndex = end;
    } else {
      quoted += text.slice(from, found.index) + quoteIfUnsafe(token);
      from = tokens.lastIndex;
    }
  }
  return quoted + text.slice(from);
}

function quoteIfUnsafe(token: string): string {
  if (token.length < 16 || !/^-?\d+$/.test(token) || Number.isSafeInteger(Number(token))) return token;
  return `"${token}"`;
}

/** Replaces bulky members by null before parsing, because parsed objects take several times the memory of their text. */
function dropBulkyMembers(text: string): string {
  let lean = text;
  for (const name of BULKY_MEMBERS) {
    const key = `"${name}"`;
    let kept = '';
    let from = 0;
    for (let at = lean.indexOf(key); at !== -1; at = lean.indexOf(key, at + 1)) {
      // Only a member's name is followed by a colon; inside a string, its quote would have a backslash before it.
      const value = /^\s*:\s*(?=[[{])/.exec(lean.slice(at + key.length, at + key.length + 16));
      if (at < from || value === null || lean[at - 1] === '\\') continue;
      const start = at + key.length + value[0].length;
      const end = findValueEnd(lean, start);
      if (end === -1) return text;
      kept += `${lean.slice(from, start)}null`;
      from = end;
    }
    lean = kept + lean.slice(from);
  }
  return lean;
}

/** Returns the index after the object or array that begins at `start`, or -1 if it is never closed. */
function findValueEnd(text: string, start: number): number {
  const tokens = /["[\]{}]/g;
  tokens.lastIndex = start;
  let depth = 0;
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    if (found[0] === '"') {
      const end = findStringEnd(text, found.index + 1);
      if (end === -1) return -1;
      tokens.lastIndex = end;
    } else {
      depth += found[0] === '[' || found[0] === '{' ? 1 : -1;
      if (depth === 0) return found.index + 1;
    }
  }
  return -1;
}

/** Returns the index after the closing quote of the string that contains `start`, or -1 if it is never closed. */
function findStringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return -1;
}
