/** Requests values in parts, in order and each value once, because a repeated value would be charged again. */
export async function* inParts<A>(
  values: readonly string[],
  size: number,
  request: (part: string[]) => Promise<A>,
): AsyncGenerator<A, void> {
  const distinct = [...new Set(values)];
  for (let start = 0; start < distinct.length; start += size) yield await request(distinct.slice(start, start + size));
}
