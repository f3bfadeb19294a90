// @ts-check
// Runs in a worker thread, which Node loads by itself: plain JavaScript, so that the same file serves the build and tests.
import { parentPort } from 'node:worker_threads';
import { nameChunks } from './search-words.mjs';

/**
 * What the thread is sent: a page of games in the order of results, or null when there are no more.
 * @typedef {readonly { readonly name: string, readonly tags: readonly string[] }[] | null} Page
 */

/**
 * An index word: where it starts in the text of all chunks, and its games.
 * @typedef {{ start: number, ranks: number[] }} Word
 */

/** @type {Map<string, Word>} */
const words = new Map();
/** @type {string[]} The chunk texts. Words are the rest of one from somewhere: in unspaced scripts each has many. */
const chunks = [];
let textLength = 0;
let size = 0;
let postings = 0;

/** @param {string} text @param {readonly number[]} starts */
function addChunk(text, starts) {
  let textStart = words.get(text)?.start;
  if (textStart === undefined) {
    textStart = textLength;
    chunks.push(text);
    textLength += text.length + 1;
  }
  for (const start of starts) addWord(text.slice(start), textStart + start);
}

/** @param {string} text @param {number} start */
function addWord(text, start) {
  const word = words.get(text);
  if (word === undefined) words.set(text, { start, ranks: [size] });
  else if (word.ranks.at(-1) !== size) word.ranks.push(size);
  else return; // the name has the word twice
  postings += 1;
}

/** @returns {import('./prefix-table.js').WordArrays} */
function sortedArrays() {
  const text = new Uint16Array(textLength);
  Buffer.from(text.buffer).write(chunks.join('\0'), 'utf16le');
  const wordStarts = new Uint32Array(words.size);
  const gameStarts = new Uint32Array(words.size + 1);
  const games = new Uint32Array(postings);
  let end = 0;
  for (const [i, key] of [...words.keys()].sort().entries()) {
    const { start, ranks } = /** @type {Word} */ (words.get(key));
    wordStarts[i] = start;
    games.set(ranks, end);
    gameStarts[i + 1] = end += ranks.length;
  }
  return { text, wordStarts, gameStarts, games };
}

parentPort?.on('message', (/** @type {Page} */ page) => {
  if (page === null) {
    const arrays = sortedArrays();
    parentPort?.postMessage(
      arrays,
      Object.values(arrays).map(({ buffer }) => buffer),
    );
    return;
  }
  for (const { name, tags } of page) {
    for (const { text, starts } of nameChunks(name)) addChunk(text, starts);
    for (const tag of tags) addChunk(tag, [0]);
    size += 1;
  }
});
