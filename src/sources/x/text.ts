const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Undoes what X escapes in texts, which is exactly these three. */
export const unescaped = (text: string): string =>
  text.includes('&') ? text.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity) : text;

/** The address of a post; without a handle the one that leads to it nevertheless. */
export const addressOf = (handle: string | null | undefined, postId: string): string =>
  handle ? `https://x.com/${handle}/status/${postId}` : `https://x.com/i/status/${postId}`;
