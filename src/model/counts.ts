/** Formats a number for people, such as `1,234`. */
export const formatCount = (count: number): string => count.toLocaleString('en');

/** Formats a number of things, such as `1 document` or `2 documents`. */
export const countOf = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatCount(count)} ${count === 1 ? singular : plural}`;
