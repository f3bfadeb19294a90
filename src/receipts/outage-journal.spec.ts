import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aUsageRecord } from '../../test/support/records/builders.js';
import { drain } from '../../test/support/records/drain-journal.js';
import { decodeEntry, encodeEntry, END_OF_ENTRIES, ENTRY_HEADER_BYTES } from './outage-entry.js';
import { OutageJournal } from './outage-journal.js';
import { readProcessStart } from './process-start.js';
import type { UsageGroup } from './usage-record.js';

const group = (id: string, requests = 1): UsageGroup => ({
  id,
  day: 20260131,
  records: Array.from({ length: requests }, (_, nth) =>
    aUsageRecord({
      request_id: `${id}-${nth}`,
      occurred_at: 1769817600000 + nth,
      key_id: nth % 2 === 0 ? 'key_a' : null,
      platform: nth % 2 === 0 ? 'live_platform' : null,
      duration_ms: 1.5,
    }),
  ),
});

const logger = { error: () => undefined, warn: () => undefined, info: () => undefined };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'creator-data-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const removed: string[] = [];
const registry = { remove: async (id: string) => removed.push(id) > 0 };

const fileOf = (id: string): Buffer => Buffer.concat([encodeEntry([group(id)]), END_OF_ENTRIES]);

const files = () => readdirSync(folder).toSorted();

async function started(installation = 'one', writerId: string | null = null): Promise<OutageJournal> {
  const journal = new OutageJournal(folder, installation, logger, registry, writerId);
  await journal.start();
  return journal;
}

describe('an entry of the outage file', () => {
  const entry = encodeEntry([group('a', 3), group('b')]);
  const [header, body] = [entry.subarray(0, ENTRY_HEADER_BYTES), entry.subarray(ENTRY_HEADER_BYTES)];

  it('reads as it was written', () => {
    expect(decodeEntry(header, body)).toEqual([group('a', 3), group('b')]);
  });

  it('is none when it was not written whole', () => {
    expect(decodeEntry(header, body.subarray(0, -1))).toBeNull();
    const changed = Buffer.from(body);
    changed[5] = (changed[5] ?? 0) ^ 1;
    expect(decodeEntry(header, changed)).toBeNull();
  });
});

describe('the outage journal', () => {
  it('gives entries back in their order, and takes new ones when it is empty again', async () => {
    const journal = await started();
    expect([journal.hasEntries, await journal.readOldest()]).toEqual([false, null]);
    for (const round of ['a', 'b']) {
      await journal.append([group(`${round}1`, 100), group(`${round}2`)]);
      await journal.append([group(`${round}3`)]);
      expect(journal.hasEntries).toBe(true);
      expect(await drain(journal)).toEqual([`${round}1`, `${round}2`, `${round}3`]);
      expect(journal.hasEntries).toBe(false);
    }
    await journal.close();
    expect(files()).toEqual([]);
  });

  it('leaves what is not taken off to the next start, which reads it once', async () => {
    const before = await started();
    await before.append([group('a')]);
    await before.append([group('b')]);
    await before.close();
    const [one, two] = [await started(), await started()];
    expect([...(await drain(one)), ...(await drain(two))]).toEqual(['a', 'b']);
    await one.close();
    await two.close();
    expect(files()).toEqual([]);
  });

  it('leaves alone what belongs to a living process, to another database, and to another machine', async () => {
    const [living, elsewhere] = [await started(), await started('two')];
    await living.append([group('a')]);
    await elsewhere.append([group('b')]);
    await elsewhere.close();
    writeFileSync(join(folder, 'usage-outage-one-0123abcd-1-ff'), fileOf('c'));
    const journal = await started();
    expect(await drain(journal)).toEqual([]);
    // Its process touches a file every few seconds.
    utimesSync(join(folder, 'usage-outage-one-0123abcd-1-ff'), 1, 1);
    await journal.adoptOrphans();
    expect(await drain(journal)).toEqual(['c']);
    await journal.close();
    await living.close();
    expect(files()).toHaveLength(2);
  });

  it('has room before it is needed, so that a full disk does not matter', async () => {
    const journal = await started();
    const sizeOf = () => readFileSync(join(folder, files()[0] ?? '')).length;
    const reserved = sizeOf();
    expect(reserved).toBeGreaterThan(1024 * 1024);
    await journal.append([group('a', 10_000)]);
    expect(sizeOf()).toBe(reserved);
    await journal.close();
  });

  it('goes on in a new file when its own was taken for abandoned', async () => {
    const stopped = await started();
    await stopped.append([group('a')]);
    rmSync(join(folder, files()[0] ?? ''));
    await stopped.append([group('b')]);
    expect(await drain(stopped)).toEqual(['b']);
    await stopped.close();
  });

  it('takes a dead process from the registry when all of its file is settled, a paused one never', async () => {
    removed.splice(0);
    const dead = await started('one', 'aaaaaaaaaaaaaaaa');
    await dead.append([group('a')]);
    expect(dead.oldestReceivedAt).toBe(1769817600000);
    await dead.close(true);
    const idle = await started('one', 'bbbbbbbbbbbbbbbb');
    // It adopted the dead process's file, but has not read it yet.
    expect(idle.oldestReceivedAt).toBe(0);
    await idle.close(true);
    // Process 1 is alive, and older than its file, which has not changed for a minute.
    const paused = `usage-outage-one-${files()[0]?.split('-')[3]}-1-ff-cccccccccccccccc`;
    writeFileSync(join(folder, paused), fileOf('c'));
    const minuteAgo = Date.now() / 1000 - 60;
    utimesSync(join(folder, paused), minuteAgo, minuteAgo);
    const journal = await started();
    expect(removed).toEqual([]);
    expect((await drain(journal)).toSorted()).toEqual(['a', 'c']);
    expect(removed.toSorted()).toEqual(['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb']);
    expect(journal.oldestReceivedAt).toBe(Infinity);
    await journal.close();
    expect(files()).toEqual([]);
  });

  it('takes a process for dead whose ID another one has got since, never one that may be alive', async () => {
    removed.splice(0);
    const journal = await started();
    const [, , , host = '', , unique = ''] = files()[0]?.split('-') ?? [];
    const [, boot] = unique.split('.');
    const parent = await readProcessStart(process.ppid);
    const starts = { dead: `.${boot}.0`, alive: `.${boot}.${parent?.ticks}`, oldversion: '' };
    for (const [writer, start] of Object.entries(starts)) {
      const path = join(folder, `usage-outage-one-${host}-${process.ppid}-ff${start}-${writer}`);
      writeFileSync(path, fileOf(writer));
      // By any clock, the file is older than the process.
      utimesSync(path, 1000, 1000);
    }
    await journal.adoptOrphans();
    expect((await drain(journal)).toSorted()).toEqual(['alive', 'dead', 'oldversion']);
    expect(removed).toEqual(['dead']);
    await journal.close();
  });
});
