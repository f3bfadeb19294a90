import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MAX_LINE_BYTES } from '../../../src/operator/import/parse-line.js';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { importFile } from '../../support/records/import-file.js';
import { runBuiltCommand } from '../../support/process/processes.js';
import { runInProcess } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { present } from '../../support/present.js';

const line = (given: Parameters<typeof aProfile>[0] = {}) => JSON.stringify(aProfile(given));

describeService('import files', (service) => {
  /** Returns which of the IDs exist, by HTTP. */
  const found = async (...ids: string[]) => {
    const { body } = await service().post('/platforms/live_platform/profiles', { profile_ids: ids });
    return (body.payload as { id: string }[]).map(({ id }) => id);
  };
  const load = (content: string | Buffer, options: { gz?: boolean; strict?: boolean } = {}) =>
    importFile(service(), 'profiles', content, options);

  it('leave nothing behind that Node.js warns about, however many there are', async () => {
    const { folder, url } = service().testDatabase;
    const files = Array.from({ length: 12 }, () => join(folder, `${uniqueId()}.ndjson`));
    for (const file of files) writeFileSync(file, line({ id: uniqueId() }));
    const settings = { DATABASE_URL: url, DATA_DIR: folder };
    expect(await runBuiltCommand(['import', 'profiles', ...files], settings)).toMatchObject({ status: 0, err: '' });
  });

  it.each([
    ['[{"id": "a"}, {"id": "b"}]', "is a JSON array: write one object a line (jq -c '.[]')"],
    ['[\n  {\n    "id": "a"\n  }\n]\n', "is a JSON array: write one object a line (jq -c '.[]')"],
    ['id,display name\na,b\n', 'looks like a table: see "creator-data ingest csv --mapping" in docs/sources.md'],
    [Buffer.from('\ufeff{"id": "a"}\n', 'utf16le'), 'is UTF-16: convert it to UTF-8'],
  ])('of another format stop the import at once: %j', async (content, problem) => {
    const { folder } = service().testDatabase;
    const file = join(folder, `${uniqueId()}.ndjson`);
    writeFileSync(file, content);
    const outcome = await runInProcess(service().testDatabase, 'import', 'profiles', file);
    expect(outcome).toEqual({ status: 1, out: '', err: `${file} ${problem}; nothing was loaded\n` });
    expect(existsSync(`${file}.rejected.ndjson`)).toBe(false);
  });

  it('without records are loaded with a warning', async () => {
    const file = join(service().testDatabase.folder, `${uniqueId()}.ndjson`);
    writeFileSync(file, '');
    const { status, err } = await runInProcess(service().testDatabase, 'import', 'profiles', file);
    expect([status, err]).toEqual([0, `Warning: ${file} has no records.\n`]);
  });

  describe('are read line by line', () => {
    it('an empty file loads nothing', async () => {
      for (const content of ['', '\n', '\n\n  \n\t\n', '\ufeff', '\r\n']) {
        expect(await load(content)).toEqual({ outcome: { lines: 0, loaded: 0, rejected: 0 }, rejected: [] });
      }
    });

    it('blank lines are skipped, and counted in line numbers', async () => {
      const [a, b] = [uniqueId(), uniqueId()];
      const { outcome, rejected } = await load(`\n${line({ id: a })}\n\n  \n${line({ id: b })}\n\nbad\n\n`);
      expect(outcome).toEqual({ lines: 3, loaded: 2, rejected: 1 });
      expect(rejected).toEqual([{ line: 7, reason: 'not JSON', text: 'bad' }]);
      expect(await found(a, b)).toEqual([a, b]);
    });

    it('the last line needs no line break', async () => {
      const [a, b] = [uniqueId(), uniqueId()];
      expect((await load(`${line({ id: a })}\n${line({ id: b })}`)).outcome.loaded).toBe(2);
      expect(await found(a, b)).toEqual([a, b]);
    });

    it('CRLF ends a line like LF', async () => {
      const [a, b] = [uniqueId(), uniqueId()];
      const { outcome, rejected } = await load(`${line({ id: a })}\r\nbad\r\n\r\n${line({ id: b })}\r\n`);
      expect(outcome).toEqual({ lines: 3, loaded: 2, rejected: 1 });
      expect(rejected).toEqual([{ line: 2, reason: 'not JSON', text: 'bad' }]);
      expect(await found(a, b)).toEqual([a, b]);
    });

    it('a byte order mark may start the file', async () => {
      const id = uniqueId();
      expect((await load(`\ufeff${line({ id })}\n`)).outcome.loaded).toBe(1);
      expect(await found(id)).toEqual([id]);
    });

    it('spaces around the object and line separators inside its texts do not end a line', async () => {
      const id = uniqueId();
      const { outcome } = await load(` \t${line({ id, description: 'a\u2028b\u2029c\u0085d' })} \t\n`);
      expect(outcome).toEqual({ lines: 1, loaded: 1, rejected: 0 });
      expect(await found(id)).toEqual([id]);
    });

    it('invalid UTF-8 rejects only its own line, at any position', async () => {
      const [a, b] = [uniqueId(), uniqueId()];
      for (const bytes of [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
        const bad = Buffer.concat([Buffer.from('{"id":"'), Buffer.from(bytes), Buffer.from('"}')]);
        const content = Buffer.concat([Buffer.from(`${line({ id: a })}\n`), bad, Buffer.from(`\n${line({ id: b })}`)]);
        const { outcome, rejected } = await load(content);
        expect(outcome).toEqual({ lines: 3, loaded: 2, rejected: 1 });
        expect(rejected).toMatchObject([{ line: 2, reason: 'not valid UTF-8' }]);
      }
      expect(await found(a, b)).toEqual([a, b]);
    });

    it('a character that spans two reads of the file stays whole', async () => {
      const ids = Array.from({ length: 60 }, () => uniqueId());
      const content = ids.map((id, index) => line({ id, description: `${'x'.repeat(index)}${'☃😀'.repeat(1000)}` }));
      const { outcome } = await load(content.join('\n'));
      expect(outcome).toEqual({ lines: 60, loaded: 60, rejected: 0 });
      expect(await found(...ids)).toEqual(ids);
    });
  });

  describe('with long lines', () => {
    /** Creates a valid line of exactly this many bytes. */
    const lineOf = (id: string, bytes: number) => {
      const empty = Buffer.byteLength(line({ id, description: '' }));
      return line({ id, description: 'x'.repeat(bytes - empty) });
    };

    it.each(['\n', '\r\n', ''])(
      'a line of 1 MiB loads, a line one byte longer is rejected (ended by %j)',
      async (end) => {
        const [longest, tooLong, after] = [uniqueId(), uniqueId(), uniqueId()];
        const content = [line({ id: after }), lineOf(tooLong, MAX_LINE_BYTES + 1), lineOf(longest, MAX_LINE_BYTES)];
        const { outcome, rejected } = await load(content.join(end === '' ? '\n' : end) + end);
        expect(outcome).toEqual({ lines: 3, loaded: 2, rejected: 1 });
        expect(rejected).toMatchObject([{ line: 2, reason: 'line is longer than 1 MiB' }]);
        expect(await found(after, tooLong, longest)).toEqual([after, longest]);
      },
    );

    it('a line of many MiB is skipped without being buffered, and the lines around it load', async () => {
      const [before, after] = [uniqueId(), uniqueId()];
      const long = Buffer.alloc(5 * MAX_LINE_BYTES, 'x');
      const content = [line({ id: before }), '\n', long, '\nbad\n', line({ id: after })].map((part) =>
        Buffer.from(part),
      );
      const { outcome, rejected } = await load(Buffer.concat(content));
      expect(outcome).toEqual({ lines: 4, loaded: 2, rejected: 2 });
      expect(rejected.map(({ line: number, reason }) => [number, reason])).toEqual([
        [2, 'line is longer than 1 MiB'],
        [3, 'not JSON'],
      ]);
      expect(present(rejected[0]).text.length).toBeLessThanOrEqual(MAX_LINE_BYTES);
      expect(await found(before, after)).toEqual([before, after]);
    });

    it('a last line that is too long, without a line break, is rejected', async () => {
      const id = uniqueId();
      const { rejected } = await load(`${line({ id })}\n${'x'.repeat(3 * MAX_LINE_BYTES)}`);
      expect(rejected).toMatchObject([{ line: 2, reason: 'line is longer than 1 MiB' }]);
      expect(await found(id)).toEqual([id]);
    });
  });

  describe('that are compressed', () => {
    it('`.gz` is decompressed', async () => {
      const [a, b] = [uniqueId(), uniqueId()];
      const { outcome, rejected } = await load(`${line({ id: a })}\nbad\n${line({ id: b })}\n`, { gz: true });
      expect(outcome).toEqual({ lines: 3, loaded: 2, rejected: 1 });
      expect(rejected).toEqual([{ line: 2, reason: 'not JSON', text: 'bad' }]);
      expect(await found(a, b)).toEqual([a, b]);
    });
  });

  describe('--strict', () => {
    it('stores nothing of a batch whose bad line follows more than a thousand good ones', async () => {
      const ids = Array.from({ length: 1100 }, () => uniqueId());
      const content = [...ids.map((id) => line({ id })), 'no JSON'].join('\n');
      await expect(load(content, { strict: true })).rejects.toThrow('line 1101: not JSON');
      const { body } = await service().post('/platforms/live_platform/profiles', { profile_ids: ids.slice(0, 100) });
      expect(body.payload).toEqual([]);
    });

    it('stops at the first bad line and stores nothing of its batch', async () => {
      const [a, b] = [uniqueId(), uniqueId()];
      const content = `${line({ id: a })}\n{"platform_id":"live_platform","id":1}\nbad\n${line({ id: b })}\n`;
      await expect(load(content, { strict: true })).rejects.toThrow('line 2: id must be a string');
      expect(await found(a, b)).toEqual([]);
    });

    it('loads a file without a bad line', async () => {
      const id = uniqueId();
      const { outcome } = await load(`\n${line({ id })}\n\n`, { strict: true });
      expect(outcome).toEqual({ lines: 1, loaded: 1, rejected: 0 });
      expect(await found(id)).toEqual([id]);
    });
  });
});
