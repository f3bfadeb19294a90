const ADDRESS =
  /(?:https?:\/\/)?\b(?:[a-z]{1,6}\.)?(?:twitch\.tv|youtube\.com|instagram\.com|tiktok\.com|twitter\.com|x\.com)\/[^\s"'<>()[\]|,;]+/gi;

/** Addresses in a text that may be pages of creators, each once. */
export function pageLinksIn(text: string): string[] {
  if (!/(?:com|tv)\//i.test(text)) return [];
  const addresses = new Set<string>();
  for (const [address] of text.matchAll(ADDRESS)) addresses.add(address.replace(/[.!?:*_~]+$/, ''));
  return [...addresses];
}
