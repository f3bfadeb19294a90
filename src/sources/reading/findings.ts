import type { Platform } from '../../model/platforms.js';
import type { Author, ContentFragment, Fragment, Mapped, ProfileFragment } from '../fragment.js';
import { join, type Place } from './place.js';

/** Collects what a mapper finds in one document. */
export class Findings implements Mapped {
  readonly fragments: Fragment[] = [];
  readonly unknownMembers: string[] = [];

  /** @param observedAt null for what only counts where nobody else says anything */
  constructor(readonly observedAt: Date | null) {}

  add(fragment: Fragment): void {
    this.fragments.push(fragment);
  }

  /** Members that are undefined are unknown, and left out. */
  profile(platform: Platform, id: string, known: ProfileFragment['known'], observedAt = this.observedAt): void {
    this.fragments.push({ kind: 'profile', platform, id, observedAt, known: present(known) });
  }

  /** Members that are undefined are unknown, and left out. */
  content(
    platform: Platform,
    id: string,
    author: Author | null,
    known: ContentFragment['known'],
    observedAt = this.observedAt,
  ): void {
    this.fragments.push({ kind: 'content', platform, id, author, observedAt, known: present(known) });
  }

  skip(reason: string): void {
    this.fragments.push({ kind: 'skipped', reason });
  }

  reject(path: string, reason: string): void {
    this.fragments.push({ kind: 'rejected', path, reason });
  }

  /** The ID of a record, or null with the note that it is missing. */
  idOf(value: string | null | undefined, place: Place, member: string): string | null {
    if (value !== null && value !== undefined && value !== '') return value;
    this.reject(join(place, [member]), 'is missing');
    return null;
  }
}

/** The members that are known. */
function present<T extends object>(members: T): T {
  const known: Record<string, unknown> = {};
  for (const name in members) {
    const value: unknown = members[name];
    if (value === undefined) continue;
    known[name] = name === 'statistics' ? present(value as object) : value;
  }
  return known as T;
}

/** A count of an item, where the source told it; null if it said that there is none. */
export const sumOf = (count: number | null | undefined): { sum: number | null } | undefined =>
  count === undefined ? undefined : { sum: count };

/** The comments of an item; no source tells an average. */
export const commentsOf = (count: number | null | undefined): { sum: number | null; avg: null } | undefined =>
  count === undefined ? undefined : { sum: count, avg: null };
