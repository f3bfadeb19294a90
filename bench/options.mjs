// @ts-check
/** Parses command-line options of benchmarks: each is `--name value` and has a default; unknown ones are errors. */
import { parseArgs } from 'node:util';

/**
 * Returns the options with the types of their defaults. Lists are separated by commas.
 * @template {Record<string, string | number | boolean | string[] | number[]>} T
 * @param {T} defaults @param {string} about printed with `--help`
 * @returns {{ [K in keyof T]: T[K] extends string[] ? string[] : T[K] extends number[] ? number[]
 *   : T[K] extends number ? number : T[K] extends boolean ? boolean : string }}
 */
export function options(defaults, about) {
  const names = Object.keys(defaults);
  /** @type {Record<string, { type: 'string' | 'boolean' }>} */
  const declared = { help: { type: 'boolean' } };
  for (const name of names) declared[name] = { type: typeof defaults[name] === 'boolean' ? 'boolean' : 'string' };
  const { values } = parseArgs({ options: declared });
  if (values['help']) {
    const rows = names.map((name) => `  --${name.padEnd(18)} ${shown(defaults[name])}`);
    process.stdout.write(`${about}\n\nOptions and their defaults:\n${rows.join('\n')}\n`);
    process.exit(0);
  }
  /** @type {Record<string, unknown>} */
  const result = {};
  for (const name of names) {
    const given = values[name];
    result[name] = given === undefined ? defaults[name] : parsed(name, String(given), defaults[name]);
  }
  return /** @type {any} */ (result);
}

const shown = (/** @type {unknown} */ value) => (Array.isArray(value) ? value.join(',') : String(value));

/** @param {string} name @param {string} text @param {unknown} like the default, whose type decides */
function parsed(name, text, like) {
  if (typeof like === 'boolean') return text === 'true';
  if (typeof like === 'number') return numeric(name, text);
  if (!Array.isArray(like)) return text;
  const items = text.split(',').filter((item) => item !== '');
  return typeof like[0] === 'number' ? items.map((item) => numeric(name, item)) : items;
}

function numeric(/** @type {string} */ name, /** @type {string} */ text) {
  const value = Number(text.replaceAll('_', ''));
  if (!Number.isFinite(value) || value < 0) throw new Error(`--${name} takes a number, not "${text}"`);
  return value;
}
