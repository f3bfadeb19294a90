import type { Platform } from '../../model/platforms.js';

/** Whether a request for each document about a creator would find any. */
export interface Available {
  readonly analysis: boolean;
  readonly audience: boolean;
  readonly socials: boolean;
  readonly email: boolean;
}

/** Finds which documents about a creator exist. `analysis` provides it, because it uses `profiles` itself. */
export abstract class AvailableDocuments {
  /** @param hidden members that the key's policy hides; a hidden address counts as missing, so that nothing is revealed */
  abstract findAvailable(platform: Platform, profileId: string, hidden: ReadonlySet<string> | null): Promise<Available>;
}
