/** How many elements are handled between two yields: a millisecond or less. */
const SLICE = 1 << 13;

/**
 * The numbers of all words in the order of their texts, yielding between slices of work. `text` holds a 0 after the
 * last unit of every word. Three-way radix quicksort: it looks at each unit of a common beginning once, needs no room,
 * and can be left at any step, unlike `sort`.
 */
export function* sortWords(text: Uint16Array, wordStarts: Uint32Array): Generator<void, Uint32Array> {
  const order = new Uint32Array(wordStarts.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  const open = [0, order.length, 0]; // ranges still to be sorted: from, to, units known to be the same
  let work = 0;
  while (open.length > 0) {
    const depth = open.pop() as number; // pushed in threes
    const to = open.pop() as number;
    const from = open.pop() as number;
    if (to - from < 2) continue;

    const unitAt = (i: number) => text[(wordStarts[order[i] as number] as number) + depth] as number; // all in range
    const pivot = unitAt((from + to) >>> 1);
    let less = from;
    let more = to;
    for (let i = from; i < more;) {
      const unit = unitAt(i);
      if (unit < pivot) swap(order, i++, less++);
      else if (unit > pivot) swap(order, i, --more);
      else i++;
      if (++work % SLICE === 0) yield;
    }
    open.push(from, less, depth, more, to, depth);
    if (pivot !== 0) open.push(less, more, depth + 1); // else the words are the same
  }
  return order;
}

function swap(order: Uint32Array, a: number, b: number): void {
  const kept = order[a] as number; // in range
  order[a] = order[b] as number;
  order[b] = kept;
}
