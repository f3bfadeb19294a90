import { randomUUID } from 'node:crypto';
import type { OperationName } from '../model/operation.js';
import type { Platform } from '../model/platforms.js';
import type { UsageTotalEntity } from './usage.entities.js';

/** One answered request. `key_id` is null without a valid key; `occurred_at` is in ms since 1970. */
export interface UsageRecord {
  readonly request_id: string;
  readonly occurred_at: number;
  readonly key_id: string | null;
  readonly operation: OperationName;
  readonly platform: Platform | null;
  readonly status: number;
  readonly quota_units: number;
  readonly credits: number;
  readonly items_returned: number;
  readonly duration_ms: number;
}

/** Records of one UTC day, written as one row. */
export interface UsageGroup {
  readonly id: string;
  readonly day: number;
  readonly records: readonly UsageRecord[];
}

/** Returns the time at which the oldest of these requests was received, in ms since 1970; Infinity without records. */
export const findOldestReceivedAt = (records: readonly UsageRecord[]): number =>
  records.reduce((first, { occurred_at }) => Math.min(first, occurred_at), Infinity);

/** Splits records into a group per UTC day, each with a new ID. */
export function groupByDay(records: readonly UsageRecord[]): UsageGroup[] {
  const days = new Map<number, UsageRecord[]>();
  for (const record of records) {
    const day = toDayNumber(record.occurred_at);
    const sameDay = days.get(day);
    if (sameDay === undefined) days.set(day, [record]);
    else sameDay.push(record);
  }
  return Array.from(days, ([day, sameDay]) => ({
    id: randomUUID(),
    day,
    records: sameDay.sort((a, b) => a.occurred_at - b.occurred_at),
  }));
}

/** Counts the records of groups. */
export const countRecords = (groups: readonly UsageGroup[]): number =>
  groups.reduce((sum, { records }) => sum + records.length, 0);

/** Returns the UTC day of an instant as a sortable number, such as 20260131. */
export function toDayNumber(instantMs: number): number {
  const date = new Date(instantMs);
  return date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
}

/** @param date `YYYY-MM-DD` */
export const parseDayNumber = (date: string): number => Number(date.replaceAll('-', ''));

/** Formats a day number as `YYYY-MM-DD`. */
export function formatDayNumber(day: number): string {
  const digits = String(day).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

/** Encodes records for the journal: commas separate members, semicolons separate records, and null is empty. No value
 * contains a separator or needs SQL escaping. */
export const encodeRecords = (records: readonly UsageRecord[]): string => records.map(encodeRecord).join(';');

const encodeRecord = (record: UsageRecord): string =>
  `${record.request_id},${record.occurred_at},${record.key_id ?? ''},${record.operation},${record.platform ?? ''},` +
  `${record.status},${record.quota_units},${record.credits},${record.items_returned},${record.duration_ms}`;

export const decodeRecords = (document: string): UsageRecord[] => document.split(';').map(decodeRecord);

function decodeRecord(text: string): UsageRecord {
  // Not validated, because only `encodeRecord` writes the journal.
  const [requestId, occurredAt, keyId, operation, platform, ...numbers] = text.split(',') as [
    string,
    string,
    string,
    OperationName,
    Platform | '',
    ...string[],
  ];
  const [status, units, credits, items, duration] = numbers.map(Number) as [number, number, number, number, number];
  return {
    request_id: requestId,
    occurred_at: Number(occurredAt),
    key_id: keyId === '' ? null : keyId,
    operation,
    platform: platform === '' ? null : platform,
    status,
    quota_units: units,
    credits,
    items_returned: items,
    duration_ms: duration,
  };
}

/** Sums records by key, day and operation. Sorted, so that concurrent writers lock rows in the same order.
 * @param sign -1 to subtract */
export function computeTotals(groups: readonly UsageGroup[], sign: 1 | -1 = 1): UsageTotalEntity[] {
  const totals = new Map<string, UsageTotalEntity>();
  for (const { day, records } of groups) {
    for (const record of records) {
      const { operation } = record;
      const key_id = record.key_id ?? '';
      const name = `${key_id} ${day} ${operation}`;
      let total = totals.get(name);
      if (total === undefined) {
        total = { key_id, day, operation, requests: 0, quota_units: 0, credits: 0 };
        totals.set(name, total);
      }
      total.requests += sign;
      total.quota_units += sign * record.quota_units;
      total.credits += sign * record.credits;
    }
  }
  return [...totals.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total);
}
