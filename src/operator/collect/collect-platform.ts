import type { CollectSource } from './collect-source.js';

/** Limits that a platform documents for its API. */
export interface PlatformLimits {
  /** Calls a minute; calls are spaced evenly, so that no window of any length exceeds it. */
  readonly callsPerMinute: number;
  /** Units a day that are spent unless `--budget` says otherwise; null: only the limit by minute counts. */
  readonly unitsPerDay: number | null;
  /** Time zone in which the day of the quota begins. */
  readonly timeZone: string;
}

/** A request without address and credentials. */
export interface PlatformRequest {
  readonly method: 'GET' | 'POST';
  /** Path after the address of the API, such as `/users`. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

/** A creator as a request names it: its ID, or its handle if `id` is null. */
export interface Subject {
  readonly id: string | null;
  readonly handle: string;
  /** ID of the creator's list of items on the platform, such as a playlist; null if it is unknown. */
  readonly list: string | null;
}

/** A creator in an answer. */
export interface FoundCreator {
  readonly id: string;
  readonly handle: string | null;
  readonly list: string | null;
}

interface StepBasics {
  readonly name: string;
  /** Creators, or items of a `details` step, in one call. */
  readonly batchSize: number;
  /** Units of one call. */
  readonly units: number;
  /** Whether a body is an answer of the step. Other JSON, such as a message, says nothing about who exists. */
  readonly isAnswer: (body: unknown) => boolean;
}

/** Finds out whether creators exist, and their IDs. It is the first step of a platform. */
export interface IdentityStep extends StepBasics {
  readonly kind: 'identity';
  /** Whether a handle needs a call of its own. */
  readonly asksHandlesAlone: boolean;
  readonly request: (subjects: readonly Subject[]) => PlatformRequest;
  readonly read: (body: unknown) => FoundCreator[];
}

/** Asks for more about creators whose ID is known. */
export interface CreatorStep extends StepBasics {
  readonly kind: 'creators';
  readonly request: (subjects: readonly Subject[]) => PlatformRequest;
}

/** Lists the newest items of one creator, which the `details` step then describes. */
export interface ListStep extends StepBasics {
  readonly kind: 'list';
  readonly request: (subjects: readonly Subject[]) => PlatformRequest;
  readonly read: (body: unknown) => ListedItem[];
}

export interface ListedItem {
  readonly id: string;
  /** In milliseconds since 1970; null if the platform does not state it. */
  readonly publishedAt: number | null;
}

/** Describes listed items, of several creators in one call. */
export interface DetailsStep extends StepBasics {
  readonly kind: 'details';
  readonly request: (items: readonly string[]) => PlatformRequest;
}

export type Step = IdentityStep | CreatorStep | ListStep | DetailsStep;

/** How a source is asked: everything about it that the scheduler and the collector need, as data. */
export interface CollectPlatform {
  readonly source: CollectSource;
  /** Documented address of the API. Saved responses name it, whatever address was asked. */
  readonly url: string;
  readonly limits: PlatformLimits;
  readonly steps: readonly Step[];
}

/** Newest items of a creator that are asked for. */
export const NEWEST_ITEMS = 50;

/** Returns the time between two calls. */
export const callIntervalMs = ({ callsPerMinute }: PlatformLimits): number => Math.ceil(60_000 / callsPerMinute);
