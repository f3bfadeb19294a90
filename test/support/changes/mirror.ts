import type { TestService } from '../service/test-service.js';

/** Item of a feed. */
export interface ChangeItem {
  readonly op: 'upsert' | 'delete';
  readonly id: string;
  readonly changed_at: string | null;
  readonly updated_at?: string | null;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- records of all kinds
  readonly record: any;
}

/** Path of a feed, without cursor. */
export const feedPath = (kind: string, platform = 'live_platform'): string =>
  kind === 'games' ? '/games/changes?limit=100' : `/platforms/${platform}/changes?kind=${kind}&limit=100`;

/** Anything that answers GET requests. */
export type Answering = Pick<TestService, 'get'>;

/** Copy of one feed's records, kept as the guide says: apply the pages in order, and keep the cursor. */
export class Mirror {
  readonly records = new Map<string, unknown>();
  cursor: string | null = null;

  constructor(private readonly path: string) {}

  /** Follows the feed until no more changes are waiting. @returns the items */
  async follow(service: Answering): Promise<ChangeItem[]> {
    const items: ChangeItem[] = [];
    for (let hasMore = true; hasMore;) {
      const page = await this.readPage(service);
      items.push(...page.items);
      hasMore = page.hasMore;
    }
    return items;
  }

  /** Applies the next page. */
  async readPage(service: Answering, limit = 100): Promise<{ items: ChangeItem[]; hasMore: boolean }> {
    const path = this.path.replace('limit=100', `limit=${limit}`);
    const { status, body } = await service.get(this.cursor === null ? path : `${path}&cursor=${this.cursor}`);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    const items = body.payload as ChangeItem[];
    for (const { op, id, record, updated_at } of items) {
      if (op === 'delete') this.records.delete(id);
      else this.records.set(id, updated_at === undefined ? record : { record, updated_at });
    }
    this.cursor = String(body.paging.next_cursor);
    return { items, hasMore: body.paging.has_more === true };
  }
}
