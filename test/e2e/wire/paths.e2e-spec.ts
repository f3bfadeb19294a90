import { describe, expect, it } from '@jest/globals';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describeService('paths and methods', (service) => {
  describe('404', () => {
    it.each([
      '//',
      '/nothing',
      '/docs-yaml',
      '/docs-json',
      '/profiles',
      '/platforms',
      '/platforms/',
      '/platforms/live_platform',
      '/platforms/live_platform/profiles/1/2',
      '/platforms/live_platform/profiles/1/content/2',
      '/platforms/live_platform//profiles',
      '/v1/platforms/live_platform/profiles',
      '/platforms/live_platform%2Fprofiles',
      '/__proto__',
      '/apple-touch-icon.png',
      '/index.html',
      '/.env',
      '/../../etc/passwd',
    ])('a path that does not exist: `Not found`: %s', async (path) => {
      const { status, body, headers } = await service().get(path);
      expect(status).toBe(404);
      expect(body).toEqual({
        error: expect.objectContaining({ status: 404, message: 'Not found', code: 'path_not_found' }),
        meta: { request_id: headers['x-request-id'] },
      });
    });

    it('for any method and any parameters', async () => {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const { status, body } = await service().request('/nothing?page=1&page=2', { method });
        expect([status, body.error.message]).toEqual([404, 'Not found']);
      }
      expect((await service().request('/nothing', { method: 'HEAD' })).status).toBe(404);
    });
  });

  describe('400', () => {
    it.each(['/platforms/live_platform/profiles/%', '/platforms/live_platform/profiles/%zz', '/%ff', '/a%e2%82'])(
      'an invalid percent-encoding: %s',
      async (path) => {
        const { status, body } = await service().get(path);
        expect([status, body.error.message]).toEqual([400, 'Path has a malformed percent-encoding']);
      },
    );
  });

  describe('405', () => {
    const id = uniqueId();

    it.each([
      ['/platforms/live_platform/profiles', ['GET', 'HEAD', 'POST']],
      ['/platforms/live_platform/profiles/lookup', ['GET', 'HEAD', 'POST']],
      [`/platforms/live_platform/profiles/${id}`, ['GET', 'HEAD']],
      [`/platforms/live_platform/profiles/${id}/content`, ['GET', 'HEAD']],
      ['/platforms/live_platform/content', ['GET', 'HEAD', 'POST']],
      [`/platforms/live_platform/content/${id}`, ['GET', 'HEAD']],
      ['/games/search', ['GET', 'HEAD']],
      ['/usage', ['GET', 'HEAD']],
    ])('a wrong method, with `Allow`: %s accepts %j', async (path, allowed) => {
      const wrong = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
        (method) => !allowed.includes(method),
      );
      for (const method of wrong) {
        const { status, body, headers } = await service().request(path, { method });
        expect(status).toBe(405);
        expect(headers.allow?.split(', ').toSorted()).toEqual(allowed);
        expect(body.error).toEqual(
          expect.objectContaining({ status: 405, message: 'Method not allowed', code: 'method_not_allowed' }),
        );
      }
    });

    it('Allow is not sent with any other status', async () => {
      expect((await service().get('/nothing')).headers).not.toHaveProperty('allow');
      expect((await service().get('/platforms/live_platform/profiles')).headers).not.toHaveProperty('allow');
    });
  });

  describe('HEAD', () => {
    it.each([200, 404, 400])('is answered like GET without the body (%i)', async (expected) => {
      const profile = aProfile();
      await service().load('profiles', profile);
      const paths: Record<number, string> = {
        200: profile.id,
        404: `${uniqueId()}`.replace(/./, 'x'),
        400: `${profile.id}?page=1`,
      };
      const path = `/platforms/live_platform/profiles/${paths[expected]}`;
      const [get, head] = [await service().get(path), await service().request(path, { method: 'HEAD' })];
      expect([get.status, head.status]).toEqual([expected, expected]);
      expect(head.bytes).toHaveLength(0);
      const own = ['date', 'x-request-id', 'x-ratelimit-minute-remaining', 'x-ratelimit-minute-reset'];
      const lasting = ({ headers }: typeof get) => Object.entries(headers).filter(([name]) => !own.includes(name));
      expect(lasting(head)).toEqual(lasting(get));
      expect(get.bytes).toHaveLength(Number(head.headers['content-length']));
    });
  });

  describe('X-Request-Id', () => {
    it('is a new UUID on every response, and equals `meta.request_id`', async () => {
      const profile = aProfile();
      await service().load('profiles', profile);
      const answers = await Promise.all([
        service().get(`/platforms/live_platform/profiles/${profile.id}`),
        service().get(`/platforms/live_platform/profiles/${uniqueId()}`),
        service().get('/platforms/live_platform/profiles?limit=0'),
        service().get('/nothing'),
        service().request('/usage', { method: 'DELETE' }),
        service().post('/platforms/live_platform/profiles', '{'),
        service().post('/platforms/live_platform/profiles', '{}', { 'content-type': 'text/plain' }),
        service().get('/usage', { 'x-api-key': '' }),
        service().get('/usage', { 'x-api-key': 'wrong' }),
        service().get('/health'),
        service().get('/platforms/live_platform/profiles/%'),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 404, 405, 400, 415, 401, 403, 200, 400]);
      const ids = answers.map(({ headers }) => String(headers['x-request-id']));
      for (const id of ids) expect(id).toMatch(UUID);
      expect(new Set(ids).size).toBe(answers.length);
      for (const [index, { status, body }] of answers.entries()) {
        expect(body.meta.request_id).toBe(status === 200 ? undefined : ids[index]);
      }
    });

    it('is not accepted from the client', async () => {
      const { headers } = await service().get('/usage', { 'x-request-id': 'mine' });
      expect(headers['x-request-id']).toMatch(UUID);
    });
  });

  describe('401 and 403', () => {
    it.each(['//', '/nothing', '/platforms/live_platform/profiles', '/platforms/nowhere/profiles?page=1', '/%ff'])(
      'take precedence over every other error: %s',
      async (path) => {
        const missing = await service().request(path, { headers: { 'x-api-key': '' } });
        expect([missing.status, missing.body.error.message]).toEqual([401, 'API key is required']);
        expect(missing.headers['www-authenticate']).toMatch(/^ApiKey\b/);
        const wrong = await service().get(path, { 'x-api-key': 'wrong' });
        expect([wrong.status, wrong.body.error.message]).toEqual([403, 'Invalid API key']);
        expect(wrong.headers).not.toHaveProperty('www-authenticate');
      },
    );

    it('the key is accepted only in its header', async () => {
      const { key } = service();
      for (const [name, value] of Object.entries({ authorization: `Bearer ${key}`, cookie: `x-api-key=${key}` })) {
        const { status } = await service().request('/usage', { headers: { 'x-api-key': '', [name]: value } });
        expect(status).toBe(401);
      }
      expect((await service().request(`/usage?x-api-key=${key}`, { headers: { 'x-api-key': '' } })).status).toBe(401);
    });
  });
});
