import type { Platform } from '../../model/platforms.js';
import type { Author, ContentFragment, Fragment, GameFragment, Mapped, ProfileFragment } from '../fragment.js';
import { pageLinksIn } from './page-links.js';
import { join, type Place } from './place.js';

interface ProfileExtras {
  readonly links?: readonly (string | null | undefined)[];
  /** Null for what counts only where nobody else says anything. */
  readonly observedAt?: Date | null;
}

/** Collects what a mapper finds in one document. */
export class Findings implements Mapped {
  /** @param isNullKnown whether null says that there is nothing; some sources say by it that they do not know */
  constructor(
    readonly observedAt: Date | null,
    private readonly isNullKnown = true,
    readonly fragments: Fragment[] = [],
    readonly unknownMembers: string[] = [],
  ) {}

  /** The same list for what was observed at another time. */
  at(observedAt: Date | null): Findings {
    return new Findings(observedAt, this.isNullKnown, this.fragments, this.unknownMembers);
  }

  add(fragment: Fragment): void {
    this.fragments.push(fragment);
  }

  /**
   * Members that are undefined are unknown, and left out. Links are those beside the description, whose own are found.
   */
  profile(
    platform: Platform,
    id: string,
    known: ProfileFragment['known'],
    { links = [], observedAt = this.observedAt }: ProfileExtras = {},
  ): void {
    this.fragments.push({ kind: 'profile', platform, id, observedAt, known: present(known, this.isNullKnown) });
    if (known.description) this.#link(platform, id, known.description);
    for (const link of links) if (link) this.#link(platform, id, link);
  }

  #link(platform: Platform, profileId: string, text: string): void {
    for (const url of pageLinksIn(text)) this.fragments.push({ kind: 'link', platform, profileId, url });
  }

  /** Members that are undefined are unknown, and left out. */
  content(platform: Platform, id: string, author: Author | null, known: ContentFragment['known']): void {
    this.fragments.push({
      kind: 'content',
      platform,
      id,
      author,
      observedAt: this.observedAt,
      known: present(known, this.isNullKnown),
    });
  }

  /** Members that are undefined are unknown, and left out. */
  game(id: string, known: GameFragment['known']): void {
    this.fragments.push({ kind: 'game', id, observedAt: this.observedAt, known: present(known, this.isNullKnown) });
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
function present<T extends object>(members: T, isNullKnown: boolean): T {
  const known: Record<string, unknown> = {};
  for (const name in members) {
    const value: unknown = members[name];
    if (value === undefined || (value === null && !isNullKnown)) continue;
    known[name] = name === 'statistics' ? present(value as object, isNullKnown) : value;
  }
  return known as T;
}

/** A count of an item, where the source told it; null if it said that there is none. */
export const sumOf = (count: number | null | undefined): { sum: number | null } | undefined =>
  count === undefined ? undefined : { sum: count };

/** The comments of an item; no source tells an average. */
export const commentsOf = (count: number | null | undefined): { sum: number | null; avg: null } | undefined =>
  count === undefined ? undefined : { sum: count, avg: null };
