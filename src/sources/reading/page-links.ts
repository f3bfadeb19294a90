const PAGE_URL =
  /(?:https?:\/\/)?\b(?:[a-z]{1,6}\.)?(?:twitch\.tv|youtube\.com|instagram\.com|tiktok\.com|twitter\.com|x\.com)\/[^\s"'<>()[\]|,;]+/gi;

/** Finds URLs in a text that may be profile pages, each once. */
export function findPageLinks(text: string): string[] {
  if (!/(?:com|tv)\//i.test(text)) return [];
  const urls = new Set<string>();
  for (const [url] of text.matchAll(PAGE_URL)) urls.add(trimPunctuation(url));
  return [...urls];
}

/** Punctuation after a URL that belongs to the surrounding sentence. */
const PUNCTUATION = '.!?:*_~';

function trimPunctuation(url: string): string {
  let end = url.length;
  while (end > 0 && PUNCTUATION.includes(url.charAt(end - 1))) end -= 1;
  return url.slice(0, end);
}
