import { Injectable } from '@nestjs/common';
import { PLATFORMS, type Platform } from '../../model/platforms.js';
import type { ChangedCreators, StoreState } from './index-feeds.js';
import { IndexFeeds } from './index-feeds.js';
import { IndexRecords, type IndexedCreator } from './index-records.js';
import type { IndexThread } from './index-thread.js';
import type { IndexState, Manifest } from './segments/index-folder.mjs';
import type { CreatorPage } from './search-index.worker.mjs';

/** Pages that the thread has received and not yet added, which bounds their memory. */
const MAX_PAGES_IN_FLIGHT = 3;

/** Changed creators of a platform above which the whole index is built, whose reads are sequential. */
const MAX_CHANGED = 200_000;

/** Reads creators from the store, and lets the thread write the index. */
@Injectable()
export class IndexBuilder {
  constructor(
    private readonly feeds: IndexFeeds,
    private readonly records: IndexRecords,
  ) {}

  /** Builds the whole index. */
  async build(thread: IndexThread, signal: AbortSignal): Promise<Manifest> {
    const startedAt = Date.now();
    // Before the records: what changes meanwhile is read again.
    const { store, mark, revisions } = await this.feeds.readState();
    await thread.send({ type: 'clear' });
    for (const platform of PLATFORMS) await this.#add(thread, platform, this.records.readAll(platform), signal);
    const state = { store, mark, revisions, buildSeconds: 0, builtAt: startedAt, hasDeleted: false };
    return publish(thread, state, startedAt);
  }

  /** Adds the changes since the last state of the index. @returns null if there are too many: build the index then */
  async follow(
    thread: IndexThread,
    manifest: Manifest,
    state: StoreState,
    signal: AbortSignal,
  ): Promise<Manifest | null> {
    const changes = new Map<Platform, ChangedCreators>();
    for (const platform of PLATFORMS) {
      const changed = await this.feeds.readChanged(platform, manifest.revisions, state);
      if (changed.ids.size > MAX_CHANGED) return null;
      changes.set(platform, changed);
    }
    let { hasDeleted } = manifest;
    for (const [platform, changed] of changes) {
      hasDeleted ||= changed.hasDeleted;
      const ids = [...changed.ids];
      if (ids.length === 0) continue;
      await thread.send({ type: 'remove', platform, ids });
      await this.#add(thread, platform, this.records.readSome(platform, ids), signal);
    }
    const { store, buildSeconds, builtAt } = manifest;
    const { mark, revisions } = state;
    return publish(thread, { store, mark, revisions, buildSeconds, builtAt, hasDeleted }, null);
  }

  async #add(
    thread: IndexThread,
    platform: Platform,
    pages: AsyncIterable<readonly IndexedCreator[]>,
    signal: AbortSignal,
  ): Promise<void> {
    const inFlight: Promise<unknown>[] = [];
    for await (const creators of pages) {
      signal.throwIfAborted();
      if (creators.length === 0) continue;
      const page = createPage(platform, creators);
      const added = thread.send({ type: 'add', page }, [page.bytes.buffer as ArrayBuffer]);
      // Awaited below; an earlier rejection must not be unhandled until then.
      added.catch(() => undefined);
      inFlight.push(added);
      if (inFlight.length > MAX_PAGES_IN_FLIGHT) await inFlight.shift();
    }
    await Promise.all(inFlight);
  }
}

/** @param startedAt start of a complete build, in milliseconds since 1970; null after changes */
async function publish(thread: IndexThread, state: IndexState, startedAt: number | null): Promise<Manifest> {
  const manifest = await thread.send({ type: 'publish', state, startedAt });
  if (manifest === null) throw new Error('the thread published no index');
  return manifest;
}

/** Joins the documents of creators in one buffer, which the thread takes over without a copy. */
function createPage(platform: Platform, creators: readonly IndexedCreator[]): CreatorPage {
  const size = creators.reduce(
    (sum, { profile, analysis }) => sum + profile.document.length + (analysis?.length ?? 0),
    0,
  );
  // Not from the pool, whose buffers cannot be transferred.
  const bytes = Buffer.allocUnsafeSlow(size);
  let at = 0;
  const rows = creators.map(({ profile, analysis, has, gameIds }) => {
    at += profile.document.copy(bytes, at);
    if (analysis !== null) at += analysis.copy(bytes, at);
    return {
      profileBytes: profile.document.length,
      analysisBytes: analysis?.length ?? 0,
      followers: profile.followers,
      lastActive: profile.last_active_at,
      has,
      gameIds,
    };
  });
  return { platform, bytes, rows };
}
