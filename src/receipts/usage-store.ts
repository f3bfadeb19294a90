import type { UsageGroup } from './usage-record.js';

/** Where usage records become durable. Both methods do all or nothing, and add to the totals in the same transaction. */
export interface UsageStore {
  write(groups: readonly UsageGroup[]): Promise<void>;
  /**
   * Writes `truth`, after a write of `attempted` whose outcome is unknown: whatever of it did reach the store is taken
   * back first, so that no record is there twice and none says what was not answered.
   */
  settle(attempted: readonly UsageGroup[], truth: readonly UsageGroup[]): Promise<void>;
  close(): Promise<void>;
}

/** Injection token of the `UsageStore`. */
export const USAGE_STORE = Symbol('usage store');

/** When the first request of a group arrived: part of the row's key. */
export const firstAt = (group: UsageGroup): number => group.records[0]?.occurred_at ?? 0;
