import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';
import { present } from '../../support/present.js';

const UNPACK: Record<string, (bytes: Buffer) => Buffer> = { gzip: gunzipSync, br: brotliDecompressSync };

describeService('compression', (service) => {
  /** Creates a profile whose answer has exactly this many bytes. */
  async function profileOfBytes(bytes: number) {
    const profile = aProfile({ description: '' });
    const path = `/platforms/live_platform/profiles/${profile.id}`;
    await service().load('profiles', profile);
    const empty = (await service().get(path)).bytes.length;
    const description = 'x'.repeat(bytes - empty);
    await service().load('profiles', { ...profile, description });
    return { profile: { ...profile, description }, path };
  }

  it.each(['gzip', 'br'])('%s: compresses bodies over 1 KiB when the client accepts it', async (encoding) => {
    const { profile, path } = await profileOfBytes(3000);
    const { status, headers, bytes } = await service().get(path, { 'accept-encoding': encoding });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(bytes.length).toBeLessThan(1500);
    const body = JSON.parse(present(UNPACK[encoding])(bytes).toString('utf8')) as { payload: unknown };
    expect(body.payload).toEqual(profile);
    const { 'content-length': length } = headers;
    expect(length === undefined || Number(length) === bytes.length).toBe(true);
  });

  it.each(['gzip', 'br'])('%s: pages, too, and the same bytes each time', async (encoding) => {
    const answers = [1, 2].map(() => service().get('/guide', { 'accept-encoding': encoding }));
    const [first, again] = await Promise.all(answers);
    const plain = await service().get('/guide', {});
    expect(first?.headers).toMatchObject({
      'content-encoding': encoding,
      vary: expect.stringContaining('Accept-Encoding'),
    });
    expect(present(UNPACK[encoding])(present(first).bytes)).toEqual(plain.bytes);
    expect(again?.bytes).toEqual(first?.bytes);
    const { headers, bytes } = await service().request('/guide', {
      method: 'HEAD',
      headers: { 'accept-encoding': encoding },
    });
    expect([headers['content-encoding'], bytes.length]).toEqual([encoding, 0]);
    const tag = { 'if-none-match': String(plain.headers.etag), 'accept-encoding': encoding };
    expect((await service().get('/guide', tag)).status).toBe(304);
  });

  it.each(['gzip, deflate, br', 'br;q=1.0, gzip;q=0.8, *;q=0.1', 'deflate, gzip', '*'])(
    'understands the usual headers of clients: %s',
    async (accepted) => {
      const { path } = await profileOfBytes(3000);
      const { headers } = await service().get(path, { 'accept-encoding': accepted });
      expect(headers).toHaveProperty('content-encoding');
    },
  );

  it.each([undefined, '', 'identity', 'zstd', 'gzip;q=0', 'br;q=0, gzip;q=0, identity'])(
    'does not compress when the client does not accept it: %s',
    async (accepted) => {
      const { profile, path } = await profileOfBytes(3000);
      const answer = await service().get(path, accepted === undefined ? {} : { 'accept-encoding': accepted });
      expect(answer.headers).not.toHaveProperty('content-encoding');
      expect(answer.bytes).toHaveLength(Number(answer.headers['content-length']));
      expect(answer.body.payload).toEqual(profile);
    },
  );

  it.each([
    [1023, undefined],
    [1024, 'gzip'],
    [1025, 'gzip'],
  ])('of a body of %i bytes: %s', async (size, encoding) => {
    const { path } = await profileOfBytes(size);
    expect((await service().get(path)).bytes).toHaveLength(size);
    const { headers } = await service().get(path, { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe(encoding);
  });

  it('sets Vary to Accept-Encoding and the key once, compressed or not, also on errors', async () => {
    const { path } = await profileOfBytes(3000);
    for (const answer of [
      await service().get(path),
      await service().get(path, { 'accept-encoding': 'gzip' }),
      await service().get('/platforms/live_platform/profiles?limit=0', { 'accept-encoding': 'gzip' }),
    ]) {
      const names = String(answer.headers.vary).toLowerCase().split(/, */).toSorted();
      expect(names).toEqual(['accept-encoding', 'x-api-key']);
    }
  });

  it('keeps every item of a list of 50', async () => {
    const profiles = Array.from({ length: 50 }, () => aProfile({ platform_id: 'short_platform' }));
    await service().load('profiles', ...profiles);
    const path = '/platforms/short_platform/profiles?limit=50';
    const { bytes } = await service().get(path, { 'accept-encoding': 'br' });
    const body = JSON.parse(brotliDecompressSync(bytes).toString('utf8')) as { payload: unknown[] };
    expect(body.payload).toHaveLength(50);
  });

  it('keeps all headers of the answer', async () => {
    const { path } = await profileOfBytes(3000);
    const names = async (accepted: string) =>
      Object.keys((await service().get(path, { 'accept-encoding': accepted })).headers).filter(
        (name) => !['content-length', 'content-encoding', 'transfer-encoding'].includes(name),
      );
    expect((await names('gzip')).toSorted()).toEqual((await names('identity')).toSorted());
  });

  it('leaves small errors uncompressed', async () => {
    const path = `/platforms/live_platform/profiles/${uniqueId()}`;
    const { status, body } = await service().get(path, { 'accept-encoding': 'gzip' });
    expect([status, body.error.message]).toEqual([404, 'Profile not found']);
  });
});
