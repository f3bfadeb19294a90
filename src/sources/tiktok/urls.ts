/** Returns the URL of a creator's page. */
export const tiktokProfileUrl = (handle: string | null | undefined): string | null | undefined =>
  handle && `https://www.tiktok.com/@${handle}`;

/** Removes the query and fragment of a URL, which track who shared it. */
export const stripQuery = (url: string | null | undefined): string | null | undefined =>
  url?.split(/[?#]/, 1)[0] ?? url;

/** Returns the handle in an item's URL. */
export const handleFromUrl = (url: string | null | undefined): string | null =>
  /tiktok\.com\/@([\w.-]+)\//.exec(url ?? '')?.[1] ?? null;

/** Reports whether an item is a slideshow, which has a URL of its own and a duration of zero. */
export const isSlideshow = (url: string | null | undefined, duration: number | null | undefined): boolean =>
  (url ?? '').includes('/photo/') || duration === 0;
