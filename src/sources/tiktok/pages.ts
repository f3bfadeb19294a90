/** The address of a creator's page. */
export const pageOf = (handle: string | null | undefined): string | null | undefined =>
  handle && `https://www.tiktok.com/@${handle}`;

/** An address without what was added to follow who shares it. */
export const withoutQuery = (address: string | null | undefined): string | null | undefined =>
  address?.split(/[?#]/, 1)[0] ?? address;

/** The handle in the address of an item. */
export const handleIn = (address: string | null | undefined): string | null =>
  /tiktok\.com\/@([\w.-]+)\//.exec(address ?? '')?.[1] ?? null;

/** Pictures with music have an address of their own, and no length. */
export const isPictures = (address: string | null | undefined, duration: number | null | undefined): boolean =>
  (address ?? '').includes('/photo/') || duration === 0;
