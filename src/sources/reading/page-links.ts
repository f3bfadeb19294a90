const ADDRESS =
  /(?:https?:\/\/)?\b(?:[a-z]{1,6}\.)?(?:twitch\.tv|youtube\.com|instagram\.com|tiktok\.com|twitter\.com|x\.com)\/[^\s"'<>()[\]|,;]+/gi;

/** Addresses in a text that may be pages of creators, each once. */
export function pageLinksIn(text: string): string[] {
  if (!/(?:com|tv)\//i.test(text)) return [];
  const addresses = new Set<string>();
  for (const [address] of text.matchAll(ADDRESS)) addresses.add(withoutMarks(address));
  return [...addresses];
}

/** Marks behind an address that belong to the sentence around it. */
const MARKS = '.!?:*_~';

function withoutMarks(address: string): string {
  let end = address.length;
  while (end > 0 && MARKS.includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}
