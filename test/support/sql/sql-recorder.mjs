// @ts-check
// Records the statements that the MySQL driver sends. Loaded by the tests and by the processes that they start.
import { appendFileSync } from 'node:fs';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Channels on which the driver publishes each statement, plain or prepared. */
const CHANNELS = ['tracing:mysql2:query:start', 'tracing:mysql2:execute:start'];

const TEXTS = /(?:\bX)?'[^'\\]*(?:(?:\\.|'')[^'\\]*)*'/gs;
const NUMBERS = /(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/gi;
const NULLS = /(?<!\b(?:IS|NOT) )\bNULL\b/g;

/** A row, condition or part of a union that repeats the one before it. */
const REPEATED = /(\((?:[^()]|\([^()]*\))*\))(?:(?:, ?| OR | UNION )\1)+/g;

/**
 * Normalises a statement: removes values, their number, and the name of the database.
 * @param {string} sql
 * @param {string} database
 */
export function normalized(sql, database) {
  // Literals in these statements are settings, types and lengths.
  const isSetting = /^\s*(SET|CREATE|ALTER|DROP)\b/.test(sql);
  const withoutTexts = isSetting ? sql : sql.replace(TEXTS, '?');
  const named = database === '' ? withoutTexts : withoutTexts.replaceAll(database, 'creator_data');
  const text = named.replaceAll('`', '').replace(/\s+/g, ' ').trim();
  if (isSetting) return text;
  return text
    .replace(NUMBERS, '?')
    .replace(NULLS, '?')
    .replace(/\?(?:, ?\?)+/g, '?, …')
    .replace(/\bIN ?\(\?\)/g, 'IN (?, …)')
    .replace(REPEATED, '$1');
}

/**
 * Appends each new kind of statement to a file.
 * @param {string} file with one kind of statement a line
 * @param {() => boolean} isOther returns whether the current statement is not one of the service; called once a kind
 * @returns a function that stops recording
 */
export function recordSql(file, isOther = () => false) {
  /** @type {Set<string>} */
  const seen = new Set();
  const note = (/** @type {unknown} */ message) => {
    const { query, database } = /** @type {{ query: string, database: string }} */ (message);
    // A message may hold several statements.
    for (const sql of normalized(query, database).split('; ')) {
      if (seen.has(sql) || isOther()) continue;
      seen.add(sql);
      appendFileSync(file, `${sql}\n`);
    }
  };
  for (const channel of CHANNELS) subscribe(channel, note);
  return () => {
    for (const channel of CHANNELS) unsubscribe(channel, note);
  };
}

if (process.env.RECORD_SQL !== undefined) recordSql(process.env.RECORD_SQL);
