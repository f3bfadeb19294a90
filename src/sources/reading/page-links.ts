import { trimEnd } from '../../model/trim-end.js';

/** Punctuation after a URL that belongs to the surrounding sentence. */
const PUNCTUATION = '.!?:*_~';

const PAGE_URL =
  /(?:https?:\/\/)?\b(?:[a-z]{1,6}\.)?(?:twitch\.tv|youtube\.com|instagram\.com|tiktok\.com|twitter\.com|x\.com)\/[^\s"'<>()[\]|,;]+/gi;

/** Finds URLs in a text that may be profile pages, each once. */
export function findPageLinks(text: string): string[] {
  if (!/(?:com|tv)\//i.test(text)) return [];
  const urls = new Set<string>();
  for (const [url] of text.matchAll(PAGE_URL)) urls.add(trimEnd(url, PUNCTUATION));
  return [...urls];
}
