import type { Chapter } from '../../features/content/content.js';

/** A name as names are compared. */
export const foldedTitle = (name: string): string => name.trim().toLowerCase();

/** The title of a chapter, if it is all that is known of its game. */
export const untoldTitle = ({ categories, title }: Chapter): string | null => (categories.length === 0 ? title : null);
