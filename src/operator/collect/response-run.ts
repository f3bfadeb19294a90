import { Readable } from 'node:stream';
import type { Database } from '../../database/database.js';
import { Assembly, type AssembledRecord } from '../../sources/assemble/assembly.js';
import { FragmentStore } from '../../sources/assemble/fragment-store.js';
import { MAPPERS } from '../../sources/mappers.js';
import { RunCounters } from '../../sources/report.js';
import { SourceReader } from '../../sources/source-reader.js';
import { RejectionReasons } from '../import/reasons.js';
import { ingest } from '../ingest/ingest.js';
import type { PlatformRequest } from './collect-platform.js';
import type { CollectSource } from './collect-source.js';

/** What became of a response. */
export interface StoredResponse {
  /** Numbers of written records by kind. */
  readonly written: ReadonlyMap<string, number>;
  readonly rejected: number;
}

/** A response with its request, as `ingest` reads it from a file. */
export interface ResponseEnvelope {
  readonly url: string;
  readonly request_body?: string;
  readonly fetched_at: string;
  readonly body: unknown;
}

/** Creates the envelope of a response. It names the documented address, by which mappers recognise it. */
export function wrapResponse(
  url: string,
  { path, query, body: requestBody }: PlatformRequest,
  body: unknown,
  now: number,
): ResponseEnvelope {
  const address = new URL(`${url}${path}`);
  for (const [name, value] of query) address.searchParams.append(name, value);
  const request = requestBody === undefined ? {} : { request_body: requestBody };
  return { url: address.href, ...request, fetched_at: new Date(now).toISOString(), body };
}

/** Merges one response with the stored records, as `ingest` does with a file of it. */
export async function storeResponse(
  database: Database,
  source: CollectSource,
  text: string,
  now: number,
  reasons: RejectionReasons,
): Promise<StoredResponse> {
  const store = await FragmentStore.open();
  const tally = new RunCounters();
  try {
    const reader = new SourceReader(MAPPERS, source, store, tally);
    for await (const rejected of reader.read(source, Readable.from([Buffer.from(text)]), null)) reasons.add(rejected);
    store.indexHandles();
    const run = {
      tally,
      createAssembly: () => new Assembly(store),
      rejectRecord: async (_record: AssembledRecord, reason: string) => {
        tally.rejected += 1;
        reasons.add([{ reason }]);
      },
    };
    // A batch is not interrupted: what was paid for is stored.
    await ingest(database, run, { now, signal: new AbortController().signal });
    return { written: tally.written, rejected: tally.rejected };
  } finally {
    store.close();
  }
}
