import type { Platform } from '../../model/platforms.js';
import type { Author, ContentFragment, Fragment, GameFragment, MappingResult, ProfileFragment } from '../fragment.js';
import { findPageLinks } from './page-links.js';
import { joinPath, type MemberPath } from './member-path.js';

interface ProfileOptions {
  readonly links?: readonly (string | null | undefined)[];
  /** Null if any dated observation should win over this one. */
  readonly observedAt?: Date | null;
}

/** Collects the fragments and unknown members that a mapper finds in one document. */
export class Findings implements MappingResult {
  /** @param isNullKnown whether null means that a value is empty; in some sources it means unknown */
  constructor(
    readonly observedAt: Date | null,
    private readonly isNullKnown = true,
    readonly fragments: Fragment[] = [],
    readonly unknownMembers: string[] = [],
  ) {}

  /** Returns findings that share these lists but have another time of observation. */
  withObservedAt(observedAt: Date | null): Findings {
    return new Findings(observedAt, this.isNullKnown, this.fragments, this.unknownMembers);
  }

  add(fragment: Fragment): void {
    this.fragments.push(fragment);
  }

  /**
   * Adds a profile without its undefined members.
   *
   * @param links texts with links, in addition to the description
   */
  addProfile(
    platform: Platform,
    id: string,
    known: ProfileFragment['known'],
    { links = [], observedAt = this.observedAt }: ProfileOptions = {},
  ): void {
    this.fragments.push({ kind: 'profile', platform, id, observedAt, known: omitUnknown(known, this.isNullKnown) });
    if (known.description) this.#addLinks(platform, id, known.description);
    for (const link of links) if (link) this.#addLinks(platform, id, link);
  }

  #addLinks(platform: Platform, profileId: string, text: string): void {
    for (const url of findPageLinks(text)) this.fragments.push({ kind: 'link', platform, profileId, url });
  }

  /** Adds a content item without its undefined members. */
  addContent(platform: Platform, id: string, author: Author | null, known: ContentFragment['known']): void {
    this.fragments.push({
      kind: 'content',
      platform,
      id,
      author,
      observedAt: this.observedAt,
      known: omitUnknown(known, this.isNullKnown),
    });
  }

  /** Adds a game without its undefined members. */
  addGame(id: string, known: GameFragment['known']): void {
    this.fragments.push({ kind: 'game', id, observedAt: this.observedAt, known: omitUnknown(known, this.isNullKnown) });
  }

  skip(reason: string): void {
    this.fragments.push({ kind: 'skipped', reason });
  }

  reject(path: string, reason: string): void {
    this.fragments.push({ kind: 'rejected', path, reason });
  }

  /** Returns the ID of a record; rejects the record and returns null if the ID is missing. */
  requireId(value: string | null | undefined, itemPath: MemberPath, member: string): string | null {
    if (value !== null && value !== undefined && value !== '') return value;
    this.reject(joinPath(itemPath, [member]), 'is missing');
    return null;
  }
}

/** Returns the known members. */
function omitUnknown<T extends object>(members: T, isNullKnown: boolean): T {
  const known: Record<string, unknown> = {};
  for (const name in members) {
    const value: unknown = members[name];
    if (value === undefined || (value === null && !isNullKnown)) continue;
    known[name] = name === 'statistics' ? omitUnknown(value as object, isNullKnown) : value;
  }
  return known as T;
}

/** Creates a count of an item; undefined if the source does not contain the count. */
export const createSum = (count: number | null | undefined): { sum: number | null } | undefined =>
  count === undefined ? undefined : { sum: count };

/** Creates the comment count of an item. No source contains an average. */
export const createCommentCount = (count: number | null | undefined): { sum: number | null; avg: null } | undefined =>
  count === undefined ? undefined : { sum: count, avg: null };
