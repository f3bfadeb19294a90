/** Occurrences of a quote that are looked at: a word may occur many times in a long text. */
const MAX_OCCURRENCES = 20;
/** Characters before and after a quote in which its sentence ends. */
const MAX_SENTENCE = 200;
const ENDS = /[\n|•·。！？]|[.!?…;](?=\s)/g;

/** Returns the sentences of a text that have a quote. A shorter quote may say something else than they do: "23" of "I play FIFA 23". */
export function sentencesWith(text: string, quote: string): string[] {
  const sentences: string[] = [];
  if (quote === '') return sentences;
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + quote.length)) {
    const before = text.slice(Math.max(0, at - MAX_SENTENCE), at);
    const after = text.slice(at + quote.length, at + quote.length + MAX_SENTENCE);
    const start = Array.from(before.matchAll(ENDS)).at(-1)?.index ?? -1;
    const end = after.search(ENDS);
    sentences.push((before.slice(start + 1) + quote + after.slice(0, end === -1 ? undefined : end)).trim());
    if (sentences.length === MAX_OCCURRENCES) break;
  }
  return sentences;
}
