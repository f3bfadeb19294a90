/**
 * Compares two texts by their UTF-8 bytes, as the database does, without encoding them. JavaScript compares UTF-16 units.
 * @returns a negative number if `a` is before `b`
 */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = weightOf(a.charCodeAt(at)) - weightOf(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Surrogates sort after all other units, because the characters that they form have longer codes. */
function weightOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
