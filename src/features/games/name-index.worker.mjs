// @ts-check
// Worker thread. Plain JavaScript, so that builds and tests load the same file without compiling it.
import { parentPort } from 'node:worker_threads';
import { nameChunks, wholeNameWords } from './search-words.mjs';

/** Page of games in the order of results; null ends the input.
 * @typedef {readonly { readonly name: string, readonly tags: readonly string[] }[] | null} GamePage */

/** Ranks of the games per chunk of their names. Not per word: in a script without spaces every character starts a word that ends
 * with the chunk, and separate texts would take a gigabyte. @type {Map<string, number[]>} */
const ranksByChunk = new Map();
/** @type {string[]} */
const chunkTexts = [];
/** @type {number[]} Start of each word in the joined texts. */
const starts = [];
let textLength = 0;
let rank = 0;

/** @param {import('./search-words.mjs').NameChunk} chunk */
function addChunk(chunk) {
  const key = chunk.starts.length === 1 ? chunk.text : `${chunk.text} ${chunk.starts.join()}`;
  const ranks = ranksByChunk.get(key);
  if (ranks === undefined) {
    ranksByChunk.set(key, [rank]);
    chunkTexts.push(chunk.text);
    for (const start of chunk.starts) starts.push(textLength + start);
    textLength += chunk.text.length + 1;
  } else if (ranks.at(-1) !== rank) {
    ranks.push(rank);
  }
}

/** Sorts the words by UTF-16 units, which the binary search of a prefix requires.
 * @returns {import('./prefix-table.js').WordArrays} */
function createWordArrays() {
  const text = new Uint16Array(textLength);
  Buffer.from(text.buffer).write(chunkTexts.join('\0'), 'utf16le');

  const wordStarts = new Uint32Array(starts).sort((a, b) => {
    while (text[a] === text[b] && text[a] !== 0) {
      a += 1;
      b += 1;
    }
    return /** @type {number} */ (text[a]) - /** @type {number} */ (text[b]);
  });

  const chunkAt = new Uint32Array(textLength);
  let chunkEnd = 0;
  for (const [chunk, { length }] of chunkTexts.entries()) chunkAt.fill(chunk, chunkEnd, (chunkEnd += length + 1));
  const ranks = [...ranksByChunk.values()];
  const ranksOf = (/** @type {number} */ start) => /** @type {number[]} */ (ranks[chunkAt[start] ?? 0]);

  const gameStarts = new Uint32Array(wordStarts.length + 1);
  let end = 0;
  for (const [word, start] of wordStarts.entries()) gameStarts[word + 1] = end += ranksOf(start).length;
  const games = new Uint32Array(end);
  for (const [word, start] of wordStarts.entries()) games.set(ranksOf(start), gameStarts[word]);
  return { text, wordStarts, gameStarts, games };
}

parentPort?.on('message', (/** @type {GamePage} */ page) => {
  if (page === null) {
    const arrays = createWordArrays();
    const buffers = Object.values(arrays).map(({ buffer }) => buffer);
    parentPort?.postMessage(arrays, buffers);
    return;
  }
  for (const { name, tags } of page) {
    for (const chunk of nameChunks(name)) addChunk(chunk);
    for (const tag of [...wholeNameWords(name), ...tags]) addChunk({ text: tag, starts: [0] });
    rank += 1;
  }
});
