/** Removes characters from the end of a text, in linear time: an expression such as `/x+$/` takes quadratic time.
 * @param characters the characters to remove */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
