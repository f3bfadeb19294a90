import { GrowingArray } from './growing-array.js';
import type { NameChunk } from './search-words.js';

/** Chains of the hash table. Fixed, because growing the table would hold the event loop. */
const CHAINS = 1 << 18;

/**
 * The distinct chunks of all names, numbered in the order of their first appearance. A `Map` of strings would take
 * several times the memory, and stop the process while it grows.
 */
export class ChunkTable {
  /** All chunk texts, each followed by a 0 that ends its words. */
  readonly text = GrowingArray.units();
  /** Where each index word begins in `text`; the words of a chunk are neighbours. */
  readonly wordStarts = GrowingArray.integers();
  /** The number of each chunk's first word. */
  readonly firstWords = GrowingArray.integers();
  private readonly heads = new Uint32Array(CHAINS); // number + 1 of the chunk last added to the chain
  private readonly nexts = GrowingArray.integers(); // by chunk, likewise

  /** The chunk's number. */
  add(chunk: NameChunk): number {
    const chain = hash(chunk.text) & (CHAINS - 1);
    for (let link = this.heads[chain] ?? 0; link > 0; link = this.nexts.data[link - 1] ?? 0) {
      if (this.is(link - 1, chunk)) return link - 1;
    }
    const number = this.firstWords.length;
    this.nexts.push(this.heads[chain] ?? 0);
    this.heads[chain] = number + 1;
    this.append(chunk);
    return number;
  }

  private append({ text, starts }: NameChunk): void {
    this.firstWords.push(this.wordStarts.length);
    for (const start of starts) this.wordStarts.push(this.text.length + start);
    for (let i = 0; i < text.length; i++) this.text.push(text.charCodeAt(i));
    this.text.push(0);
  }

  private is(number: number, { text, starts }: NameChunk): boolean {
    const firstWord = this.firstWords.data[number] ?? 0;
    const nextWord = number + 1 < this.firstWords.length ? this.firstWords.data[number + 1] : this.wordStarts.length;
    if (nextWord !== firstWord + starts.length) return false;
    const begin = this.wordStarts.data[firstWord] ?? 0;
    for (let i = 0; i < text.length; i++) if (this.text.data[begin + i] !== text.charCodeAt(i)) return false;
    if (this.text.data[begin + text.length] !== 0) return false;
    return starts.every((start, i) => this.wordStarts.data[firstWord + i] === begin + start);
  }
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value ^ (value >>> 15);
}
