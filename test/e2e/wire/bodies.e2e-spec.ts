import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';

const ENDPOINTS = [
  ['/platforms/live_platform/profiles', 'profile_ids'],
  ['/platforms/live_platform/profiles/lookup', 'handles'],
  ['/platforms/live_platform/content', 'content_ids'],
] as const;

const MAX_BYTES = 256 * 1024;

/** Creates an array and an object of so many levels. */
const nested = (levels: number): string[] => [
  '['.repeat(levels) + ']'.repeat(levels),
  `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
];

describeService('request bodies', (service) => {
  describe.each(ENDPOINTS)('of POST %s', (path, member) => {
    const good = JSON.stringify({ [member]: ['x'] });
    const errorOf = async (body: string | Buffer, headers: Record<string, string> = {}) => {
      const answer = await service().request(path, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      });
      return [answer.status, answer.body.error?.message];
    };

    it.each([
      '{',
      `{"${member}":["x"]`,
      `{"${member}":["x"],}`,
      `{'${member}':['x']}`,
      `{"${member}":["x\u0001"]}`,
      'x',
      '"text"',
      '1',
      'null',
      'NaN',
      '\u0000',
      '{}{}',
      `${member}=x`,
      `${'['.repeat(900)}`,
    ])('400: `Request body must be valid JSON`: %#', async (body) => {
      expect(await errorOf(body)).toEqual([400, 'Request body must be valid JSON']);
    });

    it('400: bytes that end in the middle of a character', async () => {
      const [status] = await errorOf(Buffer.from(`{"${member}":["😀`).subarray(0, -2));
      expect(status).toBe(400);
    });

    it('400: a byte inside a text that is not UTF-8', async () => {
      const body = Buffer.concat([Buffer.from(`{"${member}":["`), Buffer.from([0xff]), Buffer.from('"]}')]);
      expect(await errorOf(body)).toEqual([400, 'Request body must be valid JSON']);
    });

    it.each(['{}', '[]', '[1]', `["${member}"]`])(
      '400: `Invalid platform or missing required parameter`: %s',
      async (body) => {
        expect(await errorOf(body)).toEqual([400, 'Invalid platform or missing required parameter']);
      },
    );

    it.each([65, 400])('400: `Request body must not be nested deeper than 64 levels`: %d', async (levels) => {
      for (const deep of nested(levels - 1)) {
        expect(await errorOf(`{"${member}":${deep}}`)).toEqual([
          400,
          'Request body must not be nested deeper than 64 levels',
        ]);
      }
    });

    it.each([
      ...nested(5000),
      ...nested(100_000).filter(({ length }) => length < MAX_BYTES - 100),
      '['.repeat(20_000),
      JSON.stringify(Array(80_000).fill({})),
      JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`k${at}`, 1]))),
    ])('400: `Request body must not have more than 1000 arrays, objects and members`: %#', async (value) => {
      expect(await errorOf(`{"${member}":${value}}`)).toEqual([
        400,
        'Request body must not have more than 1000 arrays, objects and members',
      ]);
    });

    it('400: no body', async () => {
      const { status } = await service().request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
      });
      expect(status).toBe(400);
    });

    it.each(['page', 'limit', '__proto__', 'constructor', 'toString', '', member.toUpperCase()])(
      '400: the unknown member %j is named',
      async (name) => {
        const body = `{"${member}":["x"],${JSON.stringify(name)}:1}`;
        expect(await errorOf(body)).toEqual([400, `Unknown parameter: ${name}`]);
      },
    );

    it('400: an unknown query parameter, whatever the body', async () => {
      const answer = await service().post(`${path}?limit=5`, good);
      expect([answer.status, answer.body.error.message]).toEqual([400, 'Unknown parameter: limit']);
    });

    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'application/vnd.api+json',
      'text/json',
      'json',
      '',
    ])('415: `Content-Type must be application/json`, not %j', async (type) => {
      expect(await errorOf(good, { 'content-type': type })).toEqual([415, 'Content-Type must be application/json']);
    });

    it('415: no Content-Type', async () => {
      const { status, body } = await service().request(path, { method: 'POST', body: good });
      expect([status, body.error.message]).toEqual([415, 'Content-Type must be application/json']);
    });

    it('415: an unknown content encoding', async () => {
      const [status] = await errorOf(good, { 'content-encoding': 'rot13' });
      expect(status).toBe(415);
    });

    it.each(['with its length', 'in chunks'])('413: a body over 256 KiB, sent %s', async (how) => {
      const framing: Record<string, string> = how === 'in chunks' ? { 'transfer-encoding': 'chunked' } : {};
      const fill = (bytes: number) => good + ' '.repeat(bytes - good.length);
      expect(await errorOf(fill(MAX_BYTES), framing)).toEqual([200, undefined]);
      expect(await errorOf(fill(MAX_BYTES + 1), framing)).toEqual([413, 'Request body must not exceed 256 KiB']);
    });

    it('413: a small body that decompresses to more than 256 KiB', async () => {
      const packed = gzipSync(good + ' '.repeat(MAX_BYTES));
      expect(packed.length).toBeLessThan(2000);
      expect(await errorOf(packed, { 'content-encoding': 'gzip' })).toEqual([
        413,
        'Request body must not exceed 256 KiB',
      ]);
    });

    it('200: a compressed body', async () => {
      expect(await errorOf(gzipSync(good), { 'content-encoding': 'gzip' })).toEqual([200, undefined]);
    });

    it('400: a body that claims to be compressed', async () => {
      const [status] = await errorOf(good, { 'content-encoding': 'gzip' });
      expect(status).toBe(400);
    });

    it('401 takes precedence over any error of the body', async () => {
      const { status } = await service().request(path, { method: 'POST', body: '{', headers: { 'x-api-key': '' } });
      expect(status).toBe(401);
    });
  });

  it('200: a byte order mark and spaces around the JSON', async () => {
    const profile = aProfile();
    await service().load('profiles', profile);
    const { status, body } = await service().post(ENDPOINTS[0][0], `\r\n\t {"profile_ids" : [ "${profile.id}" ] } \n`);
    expect([status, body.payload]).toEqual([200, [profile]]);
  });

  it('200: escaped characters', async () => {
    const id = `é😀${uniqueId()}`;
    await service().load('profiles', aProfile({ id, name: null }));
    const escaped = id.replace('é😀', '\\u00e9\\ud83d\\ude00');
    const { body } = await service().post(ENDPOINTS[0][0], `{"profile_ids":["${escaped}"]}`);
    expect(body.payload).toHaveLength(1);
  });

  it('a GET with a body is answered like one without', async () => {
    const profile = aProfile();
    await service().load('profiles', profile);
    const { status } = await service().request(`/platforms/live_platform/profiles/${profile.id}`, {
      headers: { 'content-type': 'application/json', 'content-length': '1' },
      body: '{',
    });
    expect(status).toBe(200);
  });
});
