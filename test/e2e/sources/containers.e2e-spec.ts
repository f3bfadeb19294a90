import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { toNdjson, normalize } from '../../support/sources/sources.js';

/** Creates a document about one profile. */
const about = (id: string, known: object = { name: `name_${id}` }) => ({
  plain: [{ kind: 'profile', platform: 'live_platform', id, observedAt: null, known }],
});

const MIB = 1024 * 1024;

const idsOf = (records: readonly Record<string, unknown>[]) => records.map(({ id }) => id);

describe('native data is read', () => {
  it.each([
    ['one document', JSON.stringify(about('1')), ['1']],
    ['a document over several lines', JSON.stringify(about('1'), null, 2), ['1']],
    ['a document with its first member on the first line', '{"plain": [\n], "x": 1\n}', []],
    ['an array', JSON.stringify([about('1'), about('2')]), ['1', '2']],
    ['an array over several lines', JSON.stringify([about('1'), about('2')], null, 1), ['1', '2']],
    ['a document a line', toNdjson(about('1'), about('2')), ['1', '2']],
    [
      'one array per line',
      `${JSON.stringify([about('1')])}\n${JSON.stringify([about('2'), about('3')])}\n`,
      ['1', '2', '3'],
    ],
    [
      'consecutive documents',
      [about('1'), about('2')].map((document) => JSON.stringify(document, null, 2)).join('\n'),
      ['1', '2'],
    ],
    [
      'CRLF, blank lines and a byte order mark',
      `\ufeff\r\n${JSON.stringify(about('1'))}\r\n\r\n  \r\n${JSON.stringify(about('2'))}`,
      ['1', '2'],
    ],
    ['an empty file', '', []],
  ])('from %s', async (_, content, ids) => {
    const { of, rejected } = await normalize({ 'a.json': content });
    expect(idsOf(of('profiles'))).toEqual(ids);
    expect(rejected).toEqual([]);
  });

  it('from a gzip file, whatever its name', async () => {
    const packed = (id: string) => gzipSync(toNdjson(about(id)));
    const { of } = await normalize({ 'a.json': packed('1'), 'b.json.gz': packed('2') });
    expect(idsOf(of('profiles'))).toEqual(['1', '2']);
  });

  it('from all rows of a long CSV file', async () => {
    const mapper = {
      source: 'rows',
      recognises: () => true,
      map: () => ({ fragments: [{ kind: 'skipped' as const, reason: 'row' }], unknownMembers: [] }),
    };
    const content = `id,name\n${'1,mock\n'.repeat(20_000)}`;
    const { report } = await normalize({ 'a.csv': content }, { source: 'rows', mappers: [mapper] });
    expect(report).toMatchObject({ read: 20_000, skipped: { row: 20_000 } });
  });

  it('from rows of a CSV file, as objects of strings', async () => {
    const seen: unknown[] = [];
    const mapper = {
      source: 'rows',
      recognises: () => true,
      map: (document: unknown) => (seen.push(document), { fragments: [], unknownMembers: [] }),
    };
    const content = '\ufeffid,title\r\n1,"a ""b"", c\nd"\r\n2,\r\n';
    const { report } = await normalize({ 'a.csv': content }, { source: 'rows', mappers: [mapper] });
    expect(seen).toEqual([
      { id: '1', title: 'a "b", c\nd' },
      { id: '2', title: '' },
    ]);
    expect(report.read).toBe(2);
  });

  it.each([
    ['our envelope', { url: 'https://api.example/x?id=1', fetched_at: '2026-01-31T09:30:00Z', body: about('1') }],
    [
      'the envelope around text',
      { url: 'https://api.example/', fetched_at: '2026-01-31T09:30:00Z', body: JSON.stringify(about('1')) },
    ],
    [
      'the envelope around an array',
      { url: 'https://api.example/', fetched_at: '2026-01-31T09:30:00Z', body: [about('1')] },
    ],
    [
      'a line of twarc',
      {
        ...about('1'),
        __twarc: { url: 'https://api.example/', version: '2', retrieved_at: '2026-01-31T09:30:00+00:00' },
      },
    ],
    [
      'a record of a Singer tap',
      { type: 'RECORD', stream: 's', record: about('1'), time_extracted: '2026-01-31T09:30:00.000000Z' },
    ],
    [
      'a message of an Airbyte connector',
      { type: 'RECORD', record: { stream: 's', data: about('1'), emitted_at: 1769851800000 } },
    ],
    ['a record of an Airbyte connector', { stream: 's', data: about('1'), emitted_at: 1769851800000 }],
    [
      'a line of an Airbyte destination',
      {
        _airbyte_raw_id: 'x',
        _airbyte_extracted_at: '2026-01-31T09:30:00+00:00',
        _airbyte_data: JSON.stringify(about('1')),
      },
    ],
  ])('from %s, with the time of the response', async (_, line) => {
    const { of } = await normalize({ 'a.ndjson': toNdjson(line) });
    expect(of('profiles')).toMatchObject([{ id: '1', updated_at: '2026-01-31T09:30:00.000Z' }]);
  });

  it('messages without a record are skipped', async () => {
    const messages = [
      { type: 'SCHEMA', stream: 's', schema: {} },
      { type: 'STATE', value: {} },
    ];
    const { report } = await normalize({
      'a.ndjson': toNdjson(...messages, { type: 'RECORD', stream: 's', record: about('1') }),
    });
    expect(report).toMatchObject({ skipped: { 'message without a record': 2 }, records: { profiles: 1 }, rejected: 0 });
  });

  it('without losing digits of integers beyond 2^53', async () => {
    const content =
      '{"plain":[{"kind":"profile","platform":"live_platform","id":7028743950684949651,"observedAt":null,"known":{"description":"ids: 7028743950684949651, [9007199254740993]","statistics":{"followers":9007199254740991}}}]}';
    const { of } = await normalize({ 'a.json': content });
    expect(of('profiles')).toMatchObject([
      {
        id: '7028743950684949651',
        description: 'ids: 7028743950684949651, [9007199254740993]',
        statistics: { followers: 9007199254740991 },
      },
    ]);
  });

  it('without the bulky members of a large info.json', async () => {
    const seen: Record<string, unknown>[] = [];
    const mapper = {
      source: 'info',
      recognises: () => true,
      map: (document: unknown) => (
        seen.push(document as Record<string, unknown>),
        { fragments: [], unknownMembers: [] }
      ),
    };
    const formats = Array.from({ length: 9000 }, (_, index) => ({
      format_id: `${index}]}"\\`,
      url: 'https://x.example/'.repeat(10),
    }));
    const document = {
      id: 'a',
      description: 'say "formats": [not this]',
      formats,
      extractor_key: 'Youtube',
      automatic_captions: { en: formats },
    };
    await normalize({ 'a.info.json': JSON.stringify(document) }, { source: 'info', mappers: [mapper] });
    expect(seen).toEqual([{ ...document, formats: null, automatic_captions: null }]);
  });
});

const CUT_OFF = 'the JSON is incomplete: the line or the file may be cut off';

describe('invalid input is rejected with its line and a reason, and the rest is read', () => {
  const good = JSON.stringify(about('1'));
  const deep = { reason: expect.any(String) };

  it.each([
    ['a line that is not JSON', `${good}\nbad\n`, { line: 2, reason: 'not JSON', text: 'bad' }],
    ['a truncated line', `${good}\n{"plain":[{"kind":"pro`, { line: 2, reason: CUT_OFF }],
    ['a line of another document type', `${good}\n7\n`, { line: 2, reason: 'the value must be an object' }],
    ['a truncated array', `[${good},{"plain":[{"ki`, { line: 1, item: 1, reason: CUT_OFF }],
    ['an array that is not closed', `[${good}\n`, { line: 1, item: 1, reason: CUT_OFF }],
    [
      'an item that is not an object',
      `[${good},\n"x"]`,
      { line: 2, item: 1, reason: 'the value must be an object', text: '"x"' },
    ],
    [
      'a line that is an HTML page',
      `${good}\n<html></html>\n`,
      { line: 2, reason: expect.stringContaining('an HTML page, not JSON') },
    ],
    [
      'an envelope with a relative URL',
      `${good}\n${toNdjson({ url: '/x', body: {} })}`,
      { line: 2, reason: 'url must be the absolute URL of the request' },
    ],
    [
      'an envelope with an invalid time',
      `${good}\n${toNdjson({ url: 'https://a.example', fetched_at: 'now', body: {} })}`,
      { line: 2, reason: 'fetched_at must be a date-time such as 2026-01-31T09:30:00Z' },
    ],
    [
      'an envelope around HTML',
      `${good}\n${toNdjson({ url: 'https://a.example', body: '<html>' })}`,
      { line: 2, reason: 'body is an HTML page, not JSON' },
    ],
    [
      'a document of another source',
      `${good}\n${toNdjson({ other: 1 })}`,
      { line: 2, reason: 'document of the source other, expected plain: name that source, or auto' },
    ],
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from(`${good}\n{"plain":"`), Buffer.from([0xff]), Buffer.from('"}\n')]),
      { line: 2, reason: 'not valid UTF-8' },
    ],
  ])('%s', async (_, content, expected) => {
    const { of, rejected, report } = await normalize({ 'a.json': content });
    expect(idsOf(of('profiles'))).toEqual(['1']);
    expect(rejected).toEqual([expect.objectContaining({ ...deep, ...expected })]);
    expect(report.rejected).toBe(1);
  });

  it.each([
    ['an HTML page', '\n<!DOCTYPE html>\n<html>\n</html>\n', 'an HTML page, not JSON'],
    ['an xz file', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 0, 0]), 'compressed with xz'],
    ['a ZIP archive', Buffer.from('PK\u0003\u0004 and so on'), 'a ZIP archive'],
    ['UTF-16', Buffer.from('\ufeff{"a":1}', 'utf16le'), 'in UTF-16'],
    ['a truncated document', `{\n"plain": [\n{"kind": "x"`, 'the line or the file may be cut off'],
    [
      'a truncated gzip file',
      gzipSync(toNdjson(...Array.from({ length: 500 }, (_, index) => ({ plain: [index] })))).subarray(0, 60),
      'the gzip file is damaged or truncated',
    ],
  ])('a file that is %s', async (_, content, reason) => {
    const { rejected, of } = await normalize({ 'bad.json': content, 'good.json': good });
    expect(rejected).toEqual([expect.objectContaining({ reason: expect.stringContaining(reason) })]);
    expect(rejected[0]?.file).toContain('bad.json');
    expect(idsOf(of('profiles'))).toEqual(['1']);
  });

  it('a document larger than 16 MiB, on one line or several', async () => {
    for (const content of [
      `${good}\n{"x":"${'x'.repeat(16 * MIB)}"}\n${good}`,
      `[${good},\n{"x":"${'x'.repeat(16 * MIB)}"},${good}]`,
    ]) {
      const { rejected, of, report } = await normalize({ 'a.json': content });
      expect(rejected).toEqual([
        expect.objectContaining({ line: 2, reason: expect.stringContaining('larger than 16 MiB') }),
      ]);
      expect(rejected[0]?.text.length).toBeLessThanOrEqual(1024);
      expect(idsOf(of('profiles'))).toEqual(['1']);
      expect(report.read).toBe(3);
    }
  });

  it('a line with an authorization header, without its text', async () => {
    const line = {
      url: 'https://a.example',
      request: { headers: { Authorization: 'Bearer s3cret' } },
      body: about('2'),
    };
    const { rejected, of } = await normalize({ 'a.ndjson': `${toNdjson(line)}${good}` });
    expect(rejected).toEqual(
      [{ file: undefined, line: 1, reason: expect.stringContaining('authorization header'), text: '' }].map(
        ({ line: at, reason, text }) => ({ line: at, reason, text }),
      ),
    );
    expect(idsOf(of('profiles'))).toEqual(['1']);
  });

  it('keys in the URL of a rejected line are redacted', async () => {
    const { rejected } = await normalize({
      'a.ndjson': toNdjson({ url: 'https://a.example/?access_token=s3cret&id=1', body: 7 }),
    });
    expect(rejected[0]?.text).toContain('?access_token=...&id=1');
  });

  it('the first rejected document ends the run under --strict', async () => {
    await expect(normalize({ 'a.ndjson': `${good}\nbad\n` }, { strict: true })).rejects.toThrow(
      /a\.ndjson: line 2: not JSON$/,
    );
  });

  it('a document that no source recognises, with auto', async () => {
    const { rejected, of } = await normalize(
      { 'a.ndjson': `${good}\n{"strange":1}\n${toNdjson({ other: 1 })}` },
      { source: 'auto' },
    );
    const problem = 'no source recognises this document: name the source';
    const reason = `${problem}, or wrap the response with its url`;
    expect(rejected).toEqual([expect.objectContaining({ line: 2, reason })]);
    expect(idsOf(of('profiles'))).toEqual(['1']);
    const wrapped = toNdjson({ url: 'https://api.example.org/x', body: { strange: 1 } });
    expect(await normalize({ 'a.ndjson': wrapped }, { source: 'auto' })).toMatchObject({
      rejected: [{ reason: problem }],
    });
  });
});
