// @ts-check
/** Formats numbers as Markdown, and writes raw numbers to bench/results/. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

export const median = (/** @type {number[]} */ values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
};

/** Formats a number as 12,345 or 123 or 1.23: a noisy machine gives at most three significant figures. */
export const figure = (/** @type {number} */ value) =>
  !Number.isFinite(value)
    ? '–'
    : Math.abs(value) >= 100
      ? Math.round(value).toLocaleString('en-US')
      : value.toPrecision(3);

/** Formats the median with the lowest and highest value of all rounds. */
export function spread(/** @type {number[]} */ values) {
  const shown = (/** @type {number} */ value) => (value < 0.1 ? value.toPrecision(2) : value.toFixed(2));
  if (values.length === 0) return '–';
  return `**${shown(median(values))}** (${shown(Math.min(...values))}–${shown(Math.max(...values))})`;
}

export function markdownTable(/** @type {string[]} */ head, /** @type {string[][]} */ rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Describes the machine, without which numbers cannot be compared. */
export const machine = () =>
  `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB memory, Node ${process.version}`;

/** Prints progress to standard error, so that standard output has the tables only. */
export const say = (/** @type {string} */ text) => void process.stderr.write(`${text}\n`);

/** Prints the report, and saves its numbers. */
export function publish(/** @type {string} */ name, /** @type {string} */ markdown, /** @type {unknown} */ data) {
  process.stdout.write(`${markdown}\n`);
  const folder = fileURLToPath(new URL('results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const file = `${folder}${name}-${new Date().toISOString().replaceAll(':', '-').slice(0, 19)}.json`;
  writeFileSync(file, JSON.stringify(data, null, 2));
  say(`written: ${file}`);
}
