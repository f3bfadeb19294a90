import { Bitmap } from './bitmap.js';
import { ChunkTable } from './chunk-table.js';
import { GrowingArray } from './growing-array.js';
import { LIVE_PLATFORM, NameIndex, VIDEO_PLATFORM } from './name-index.js';
import { denseBitmaps, PrefixTable } from './prefix-table.js';
import { nameChunks } from './search-words.js';
import { sortWords } from './word-sort.js';

/** How many games or words are handled between two yields: a millisecond or two. */
const SLICE = 1 << 13;

/**
 * Collects games in the order of search results and makes them a `NameIndex`. Both halves can be done in slices, so
 * that a service builds an index while it answers requests: `add` as many games as fit a slice, then step through
 * `finish`. A builder is used once.
 */
export class NameIndexBuilder {
  private chunks = new ChunkTable();
  private readonly nums = GrowingArray.integers();
  private readonly onLivePlatform = GrowingArray.integers(); // ranks, as below
  private readonly onVideoPlatform = GrowingArray.integers();
  private readonly chunkLog = GrowingArray.integers(); // the chunks of all names, one name after the other
  private readonly logEnds = GrowingArray.integers(); // by game: where its chunks end

  /** `platforms` tells where the game is available: `LIVE_PLATFORM`, `VIDEO_PLATFORM`, both of the bits or none. */
  add(num: number, name: string, platforms: number): void {
    if (platforms & LIVE_PLATFORM) this.onLivePlatform.push(this.nums.length);
    if (platforms & VIDEO_PLATFORM) this.onVideoPlatform.push(this.nums.length);
    this.nums.push(num);
    for (const chunk of nameChunks(name)) this.chunkLog.push(this.chunks.add(chunk));
    this.logEnds.push(this.chunkLog.length);
  }

  /** Yields between slices of work of a few milliseconds at most. */
  *finish(): Generator<void, NameIndex> {
    const text = this.chunks.text.trimmed();
    yield;
    const wordStarts = this.chunks.wordStarts.trimmed();
    const firstWords = this.chunks.firstWords;
    firstWords.push(wordStarts.length);
    const wordsOfChunk = firstWords.trimmed();
    this.chunks = new ChunkTable(); // lets go of the hash table before the largest arrays are made
    yield;

    const order = yield* sortWords(text, wordStarts);
    const counts = yield* this.countGames(wordsOfChunk, wordStarts.length);

    // The order becomes the sorted starts, the counts become the places where each word's games are written.
    const gameStarts = new Uint32Array(order.length + 1);
    let total = 0;
    for (let i = 0; i < order.length; i++) {
      const word = order[i] as number; // in range
      const count = counts[word] as number;
      order[i] = wordStarts[word] as number;
      gameStarts[i] = counts[word] = total;
      total += count;
      if (i % SLICE === 0) yield;
    }
    gameStarts[order.length] = total;
    const games = yield* this.gamesByWord(wordsOfChunk, counts, total);

    const table = new PrefixTable(text, order, gameStarts, games);
    const dense = yield* denseBitmaps(table, this.nums.length);
    return new NameIndex(this.nums.trimmed(), table, dense, yield* this.platformBitmaps());
  }

  /** By word, how many games have it. */
  private *countGames(wordsOfChunk: Uint32Array, words: number): Generator<void, Uint32Array> {
    const counts = new Uint32Array(words);
    for (let i = 0; i < this.chunkLog.length; i++) {
      const chunk = this.chunkLog.data[i] as number; // in range, as below
      const end = wordsOfChunk[chunk + 1] as number;
      for (let word = wordsOfChunk[chunk] as number; word < end; word++) counts[word] = (counts[word] as number) + 1;
      if (i % SLICE === 0) yield;
    }
    return counts;
  }

  /** Writes each game at the places of its words; in order of rank, because games were added in it. */
  private *gamesByWord(wordsOfChunk: Uint32Array, places: Uint32Array, total: number): Generator<void, Uint32Array> {
    const games = new Uint32Array(total);
    for (let rank = 0, i = 0; rank < this.logEnds.length; rank++) {
      for (const logEnd = this.logEnds.data[rank] as number; i < logEnd; i++) {
        const chunk = this.chunkLog.data[i] as number; // in range, as below
        const end = wordsOfChunk[chunk + 1] as number;
        for (let word = wordsOfChunk[chunk] as number; word < end; word++) {
          const place = places[word] as number;
          games[place] = rank;
          places[word] = place + 1;
        }
        if (i % SLICE === 0) yield;
      }
    }
    return games;
  }

  /** By platform mask, the games available on any platform of the mask. */
  private *platformBitmaps(): Generator<void, Bitmap[]> {
    const bitmaps: Bitmap[] = [];
    for (const mask of [0, LIVE_PLATFORM, VIDEO_PLATFORM, LIVE_PLATFORM | VIDEO_PLATFORM]) {
      const bitmap = new Bitmap(this.nums.length);
      if (mask & LIVE_PLATFORM) bitmap.addAll(this.onLivePlatform.data, 0, this.onLivePlatform.length);
      if (mask & VIDEO_PLATFORM) bitmap.addAll(this.onVideoPlatform.data, 0, this.onVideoPlatform.length);
      bitmaps.push(bitmap);
      yield;
    }
    return bitmaps;
  }
}
