import type { Chapter } from '../../features/content/content.js';

/** Normalises a title or name for comparison. */
export const foldTitle = (name: string): string => name.trim().toLowerCase();

/** Returns the title of a chapter without categories, from which its game can be found; null for other chapters. */
export const unmatchedTitle = ({ categories, title }: Chapter): string | null =>
  categories.length === 0 ? title : null;
