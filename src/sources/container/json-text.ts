import { isTooDeep, MAX_JSON_DEPTH } from '../../model/json-depth.js';

/** An integer that may have lost digits by being read as a number. */
const MAY_HAVE_LARGE_INTEGER = /[:,[]\s*-?\d{16,}\s*[,}\]]/;

/** Members that make a downloader's document large and say nothing about the item. */
const BULKY = [
  'formats',
  'requested_formats',
  'requested_downloads',
  'automatic_captions',
  'subtitles',
  'heatmap',
  'comments',
];

/** Documents below this length are parsed as they are. */
const LARGE_CHARACTERS = 256 * 1024;

/** JSON, but nested so deep that whoever walks through it may overflow the stack. */
export class TooDeepError extends SyntaxError {
  constructor() {
    super(`nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
}

/** Reads JSON; integers that a number cannot hold become texts. @throws SyntaxError */
export function parseJson(text: string): unknown {
  const lean = text.length > LARGE_CHARACTERS && text.includes('"extractor') ? withoutBulk(text) : text;
  const value: unknown = JSON.parse(MAY_HAVE_LARGE_INTEGER.test(lean) ? withQuotedIntegers(lean) : lean);
  if (isTooDeep(value)) throw new TooDeepError();
  return value;
}

/** Quotes the integers that a number cannot hold. Strings are skipped by search: matching one that never ends, from each
 * of its quotes, takes the square of its length. */
function withQuotedIntegers(text: string): string {
  const mark = /"|-?\d[\d.eE+-]*/g;
  let quoted = '';
  let from = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [token] = found;
    if (token === '"') {
      const end = endOfText(text, found.index + 1);
      if (end === -1) break;
      mark.lastIndex = end;
    } else {
      quoted += text.slice(from, found.index) + quotedIfUnsafe(token);
      from = mark.lastIndex;
    }
  }
  return quoted + text.slice(from);
}

function quotedIfUnsafe(token: string): string {
  if (token.length < 16 || !/^-?\d+$/.test(token) || Number.isSafeInteger(Number(token))) return token;
  return `"${token}"`;
}

/** Replaces bulky members by null before they are parsed: a megabyte of text takes several as objects. */
function withoutBulk(text: string): string {
  let lean = text;
  for (const name of BULKY) {
    const key = `"${name}"`;
    let kept = '';
    let from = 0;
    for (let at = lean.indexOf(key); at !== -1; at = lean.indexOf(key, at + 1)) {
      // Within a text a quote has a backslash before it, and only a member's name has a colon after it.
      const value = /^\s*:\s*(?=[[{])/.exec(lean.slice(at + key.length, at + key.length + 16));
      if (at < from || value === null || lean[at - 1] === '\\') continue;
      const start = at + key.length + value[0].length;
      const end = endOfValue(lean, start);
      if (end === -1) return text;
      kept += `${lean.slice(from, start)}null`;
      from = end;
    }
    lean = kept + lean.slice(from);
  }
  return lean;
}

/** Where the object or array that begins here ends, -1 if it does not. */
function endOfValue(text: string, start: number): number {
  const mark = /["[\]{}]/g;
  mark.lastIndex = start;
  let depth = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === '"') {
      const end = endOfText(text, found.index + 1);
      if (end === -1) return -1;
      mark.lastIndex = end;
    } else {
      depth += found[0] === '[' || found[0] === '{' ? 1 : -1;
      if (depth === 0) return found.index + 1;
    }
  }
  return -1;
}

/** Where a text that begins here ends, behind its quote. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return -1;
}
