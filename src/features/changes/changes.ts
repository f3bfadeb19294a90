import { Injectable } from '@nestjs/common';
import { UNKNOWN_SORT_VALUE } from '../../database/columns.js';
import type { Answer, Paging } from '../../http/envelope/answer.js';
import { conflictingParameters } from '../../http/errors/api-error.js';
import type { OperationName } from '../../model/operation.js';
import { computePageCost } from '../../receipts/prices.js';
import { decodeChangeCursor, encodeChangeCursor, FEED_START, type FeedPosition } from './change-cursor.js';
import type { FeedRequest } from './changes.requests.js';
import { ChangesQueries, type Change } from './changes.queries.js';
import { LOOK_UPS, type Feed, type FeedState } from './feeds.js';

/** Answers pages of feeds. */
@Injectable()
export class Changes {
  constructor(private readonly queries: ChangesQueries) {}

  /** @throws ApiError 400 or 410 for a cursor that is not of this feed or store */
  async readPage(
    operation: OperationName,
    feed: Feed,
    { cursor, from, limit }: FeedRequest,
    hasAllowance: boolean,
  ): Promise<Answer> {
    if (cursor !== undefined && from !== undefined) throw conflictingParameters('cursor and from cannot be combined');
    const state = await this.queries.readState(feed);
    const start = cursor === undefined ? FEED_START : decodeChangeCursor(cursor, feed, state.mark, state.latest);
    if (from === 'now') {
      return answerPage(operation, feed, state, [], { revision: state.latest, key: null }, { limit, hasMore: false });
    }
    const changes = await this.queries.readChanges(feed, start, state, limit);
    const page = changes.slice(0, limit);
    const answer = answerPage(operation, feed, state, page, start, { limit, hasMore: changes.length > limit });
    return hasAllowance ? { ...answer, shorter: shorterPages(operation, feed, state, page, limit) } : answer;
  }
}

/** @param start place of a page without changes. Its cursor stays the same, so that polling gives 304 */
function answerPage(
  operation: OperationName,
  feed: Feed,
  state: FeedState,
  page: readonly Change[],
  start: FeedPosition,
  { limit, hasMore }: { readonly limit: number; readonly hasMore: boolean },
): Answer {
  const records = countRecords(page);
  return {
    data: formatChanges(page),
    paging: createPaging(feed, state, page.at(-1) ?? start, limit, hasMore),
    itemsReturned: records,
    cost: computePageCost(operation, LOOK_UPS[feed.kind], records),
  };
}

/** Returns the shorter forms of a page, the longest first, with at least one change. */
function shorterPages(
  operation: OperationName,
  feed: Feed,
  state: FeedState,
  page: readonly Change[],
  limit: number,
): Answer['shorter'] {
  let records = 0;
  return page
    .slice(0, -1)
    .map((last, index) => {
      records += countRecords([last]);
      return {
        documentCount: index + 1,
        itemsReturned: records,
        cost: computePageCost(operation, LOOK_UPS[feed.kind], records),
        createPaging: () => createPaging(feed, state, last, limit, true),
      };
    })
    .toReversed();
}

const createPaging = (
  feed: Feed,
  { mark }: FeedState,
  { revision, key }: FeedPosition,
  limit: number,
  hasMore: boolean,
): Paging => ({
  limit,
  next_cursor: encodeChangeCursor(feed, { revision, key }, mark),
  has_more: hasMore,
});

const countRecords = (page: readonly Change[]): number => page.filter(({ document }) => document !== null).length;

const END = '}'.charCodeAt(0);
const NO_RECORD = Buffer.from('null');

/** Formats items. Neighbours often are of one transaction: its time is formatted once, which halves the work. */
function formatChanges(page: readonly Change[]): Buffer[] {
  let last = { changedAt: 0, text: 'null' };
  return page.map((change) => {
    const { changedAt } = change;
    if (changedAt !== last.changedAt) {
      last = { changedAt, text: changedAt === 0 ? 'null' : `"${new Date(changedAt).toISOString()}"` };
    }
    return formatChange(change, last.text);
  });
}

/** Formats an item. The stored document is copied, not parsed, into one buffer: `Buffer.concat` takes three times as long. */
function formatChange({ id, updatedAt, document }: Change, changedAt: string): Buffer {
  const op = document === null ? 'delete' : 'upsert';
  const member = `{"op":"${op}","id":${JSON.stringify(id)},"changed_at":${changedAt}`;
  const head = `${member}${formatDate(updatedAt)},"record":`;
  const record = document ?? NO_RECORD;
  const headBytes = Buffer.byteLength(head);
  const item = Buffer.allocUnsafe(headBytes + record.length + 1);
  item.write(head);
  item.set(record, headBytes);
  item[item.length - 1] = END;
  return item;
}

function formatDate(updatedAt: number | undefined): string {
  if (updatedAt === undefined) return '';
  return `,"updated_at":${updatedAt === UNKNOWN_SORT_VALUE ? 'null' : `"${new Date(updatedAt).toISOString()}"`}`;
}
