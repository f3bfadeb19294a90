import { platformCode, type Platform } from '../platforms/platforms.js';
import type { ImportKind, ImportRecords } from './parse-line.js';

/** A creator, as a stored platform code and an ID. */
export interface Creator {
  readonly platform: number;
  readonly profileId: string;
}

const creator = (platform: string, profileId: string): Creator => ({
  platform: platformCode(platform as Platform),
  profileId,
});

/** The creators a record is about: it is suppressed if one of them was forgotten. */
export const CREATORS_OF: { readonly [K in ImportKind]: (record: ImportRecords[K]) => readonly Creator[] } = {
  profiles: ({ platform_id, id }) => [creator(platform_id, id)],
  content: ({ platform, profile_id }) => (profile_id === null ? [] : [creator(platform, profile_id)]),
  games: () => [],
  analysis: ({ platform_id, profile_id }) => [creator(platform_id, profile_id)],
  audience: ({ platform_id, profile_id }) => [creator(platform_id, profile_id)],
  socials: ({ platform_id, profile_id, links }) => [
    creator(platform_id, profile_id),
    ...links.map((link) => creator(link.platform_id, link.id)),
  ],
  emails: ({ platform_id, profile_id }) => [creator(platform_id, profile_id)],
};

/** What makes two lines be about the same record; the last one wins. */
export const KEY_OF: { readonly [K in ImportKind]: (record: ImportRecords[K]) => string } = {
  profiles: ({ platform_id, id }) => `${platform_id} ${id}`,
  content: ({ platform, content_id }) => `${platform} ${content_id}`,
  games: ({ id }) => id,
  analysis: ({ platform_id, profile_id }) => `${platform_id} ${profile_id}`,
  audience: ({ platform_id, profile_id }) => `${platform_id} ${profile_id}`,
  socials: ({ platform_id, profile_id }) => `${platform_id} ${profile_id}`,
  emails: ({ platform_id, profile_id }) => `${platform_id} ${profile_id}`,
};
