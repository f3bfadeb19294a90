import { ConnectionFailedError } from './errors.js';

const REPEATED = 'the service returned the same cursor again';

interface Page<T> {
  readonly payload: readonly T[];
  readonly paging: { readonly next_cursor: string | null; readonly has_more?: boolean };
}

/** Requests pages until the last. @param request receives the cursor, or nothing for the first page */
export async function* pages<P extends Page<unknown>>(
  request: (cursor: { readonly cursor?: string }) => Promise<P>,
): AsyncGenerator<P, void> {
  let page = await request({});
  yield page;
  // A feed of changes always has a cursor, and ends where no more changes are waiting.
  while (page.paging.next_cursor !== null && page.paging.has_more !== false) {
    const cursor: string = page.paging.next_cursor;
    page = await request({ cursor });
    yield page;
    // Every page is charged.
    if (page.paging.next_cursor === cursor && page.paging.has_more !== false) throw new ConnectionFailedError(REPEATED);
  }
}

/** Yields the records of pages. */
export async function* records<T>(source: AsyncIterable<Page<T>>): AsyncGenerator<T, void> {
  for await (const { payload } of source) yield* payload;
}
