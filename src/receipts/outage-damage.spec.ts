import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aUsageRecord } from '../../test/support/records/builders.js';
import { drain } from '../../test/support/records/drain-journal.js';
import { encodeEntry, END_OF_ENTRIES } from './outage-entry.js';
import { OutageJournal } from './outage-journal.js';
import type { UsageGroup } from './usage-record.js';

const RESERVE_BYTES = 4 * 1024 * 1024;
const SECTOR_BYTES = 512;
const LOST = 'usage records of an outage are lost: the file is damaged, and kept';

const group = (id: string, requests = 3): UsageGroup => ({
  id,
  day: 20260131,
  records: Array.from({ length: requests }, (_, nth) => aUsageRecord({ request_id: `${id}-${nth}` })),
});
const [A, B, C] = ['a', 'b', 'c'].map((id) => encodeEntry([group(id)])) as [Buffer, Buffer, Buffer];

let folder: string;
let logged: (readonly [string, object])[];
const removed: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'creator-data-test-'));
  logged = [];
  removed.splice(0);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function started(): Promise<OutageJournal> {
  const log = (details: object, message: string) => void logged.push([message, details]);
  const registry = { remove: async (id: string) => removed.push(id) > 0 };
  const journal = new OutageJournal(folder, 'one', { error: log, warn: log, info: log }, registry, 'aaaaaaaaaaaaaaaa');
  await journal.start();
  return journal;
}

const files = () => readdirSync(folder).toSorted();

function change(path: string, at: number, bytes: Buffer): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

/** Writes the file of a process that ended in an outage. @returns its path */
async function anOutage(...ids: string[]): Promise<string> {
  const journal = await started();
  for (const id of ids) await journal.append([group(id)]);
  await journal.close(true);
  logged = [];
  return join(folder, files()[0] ?? '');
}

const damage = (places: number, bytes: number, records: number | null = null) => ({
  file: expect.stringContaining(join(folder, 'damaged-usage-outage-one-')),
  writer: records === null ? 'aaaaaaaaaaaaaaaa' : null,
  damaged_places: places,
  damaged_bytes: bytes,
  lost_records: records,
});
const isRecorded = () => logged.some(([message]) => message === 'recorded usage of an earlier outage');

describe('a damaged outage file', () => {
  const flip = (at: number) => (path: string) => change(path, at, Buffer.from([(readFileSync(path)[at] ?? 0) ^ 0x40]));
  const cut = (size: number) => (path: string) => truncateSync(path, size);
  // The final zeros of the last entry look like the end mark.
  const lastBytes = Buffer.concat([C, END_OF_ENTRIES]).indexOf(END_OF_ENTRIES);
  const all = A.length + B.length + C.length;

  it.each([
    ['in the body of its first entry', flip(10), ['b', 'c'], A.length],
    ['in the length of its first entry', flip(2), ['b', 'c'], A.length],
    ['in the highest byte of a length', flip(3), ['b', 'c'], A.length],
    ['in an entry between others', flip(A.length + 12), ['a', 'c'], B.length],
    ['in its last entry', flip(A.length + B.length + 12), ['a', 'b'], lastBytes],
    ['in the length of its last entry', flip(A.length + B.length + 1), ['a', 'b'], lastBytes],
    ['across two entries', (path: string) => change(path, A.length - 4, Buffer.alloc(12, 255)), ['c'], all - C.length],
    ['because its end is cut off', cut(A.length + 50), ['a'], 50],
    ['because it is cut between two entries', cut(A.length), ['a'], 0],
  ])('%s still gives its intact entries, is kept, and is reported', async (_, harm, ids, bytes) => {
    const path = await anOutage('a', 'b', 'c');
    harm(path);
    const harmed = readFileSync(path);
    const journal = await started();
    expect(await drain(journal)).toEqual(ids);
    expect(logged).toContainEqual([LOST, damage(1, bytes)]);
    expect([isRecorded(), removed, journal.lostRecords]).toEqual([false, [], 0]);
    await journal.close();
    // The next start leaves it alone.
    const next = await started();
    expect([await drain(next), await next.close()]).toEqual([[], undefined]);
    expect(files()).toEqual([expect.stringMatching(/^damaged-usage-outage-one-/)]);
    expect(readFileSync(join(folder, files()[0] ?? '')).equals(harmed)).toBe(true);
  });

  it('of a running process gives its intact entries, is kept, and counts its lost records', async () => {
    const journal = await started();
    for (const id of ['a', 'b', 'c']) await journal.append([group(id)]);
    const [name = ''] = files();
    flip(10)(join(folder, name));
    change(join(folder, name), A.length + B.length, Buffer.alloc(C.length));
    expect(await drain(journal)).toEqual(['b']);
    expect([journal.hasEntries, journal.recordCount, journal.lostRecords]).toEqual([false, 0, 6]);
    expect(logged).toEqual([[LOST, damage(2, A.length + C.length, 6)]]);
    await journal.append([group('d')]);
    expect(await drain(journal)).toEqual(['d']);
    expect(files()).toEqual([`damaged-${name}`, expect.stringMatching(/^usage-outage-one-/)]);
    await journal.close();
  });
});

describe('an outage file whose process was killed', () => {
  it('while it wrote the last entry gives the others, and is settled', async () => {
    const path = await anOutage('a');
    const last = encodeEntry([group('b', 1000)]);
    const written = 3 * SECTOR_BYTES - A.length;
    expect(last.length).toBeGreaterThan(written);
    change(path, A.length, last.subarray(0, written));
    const journal = await started();
    expect(await drain(journal)).toEqual(['a']);
    expect([isRecorded(), removed]).toEqual([true, ['aaaaaaaaaaaaaaaa']]);
    await journal.close();
    expect(files()).toEqual([]);
  });

  it('while it wrote an entry beyond the reserved size gives the others, and is settled', async () => {
    const path = await anOutage();
    writeFileSync(path, Buffer.concat([A, largeEntry(RESERVE_BYTES)]).subarray(0, RESERVE_BYTES + 8 * SECTOR_BYTES));
    const journal = await started();
    expect([await drain(journal), isRecorded()]).toEqual([['a'], true]);
    await journal.close();
    expect(files()).toEqual([]);
  });

  it('while it created the file is settled', async () => {
    const path = await anOutage();
    writeFileSync(path, '');
    const journal = await started();
    expect([await drain(journal), isRecorded()]).toEqual([[], true]);
    await journal.close();
    expect(files()).toEqual([]);
  });

  it('has no older entries after its end, which could be read again', async () => {
    const journal = await started();
    for (const id of ['a', 'b', 'c']) await journal.append([group(id)]);
    await drain(journal);
    await journal.append([group('d')]);
    const bytes = readFileSync(join(folder, files()[0] ?? ''));
    expect([bytes.indexOf(B), bytes.indexOf(C)]).toEqual([-1, -1]);
    await journal.close();
  });
});

/** Start of an entry with a body longer than this, without runs of zeros. */
function largeEntry(length: number): Buffer {
  const bytes = Buffer.alloc(length + 8 * SECTOR_BYTES, 0xa5);
  bytes.writeUInt32LE(length + 64 * SECTOR_BYTES, 0);
  return bytes;
}
