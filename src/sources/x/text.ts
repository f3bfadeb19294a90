/** Returns the URL of a profile picture in full size, which lacks the suffix `_normal`. */
export const fullSizePicture = (url: string | null | undefined): string | null | undefined =>
  url?.replace(/_normal(\.\w+)$/, '$1') ?? url;

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Unescapes the three entities that X escapes in texts. */
export const unescapeEntities = (text: string): string =>
  text.includes('&') ? text.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity) : text;

/** Returns the URL of a post. Without a handle, the URL redirects to the post. */
export const postUrl = (handle: string | null | undefined, postId: string): string =>
  handle ? `https://x.com/${handle}/status/${postId}` : `https://x.com/i/status/${postId}`;
