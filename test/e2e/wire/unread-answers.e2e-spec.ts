import { beforeAll, expect, it } from '@jest/globals';
import { connectTo } from '../../support/http/raw-socket.js';
import { aContent, aProfile } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

const PROFILE = aProfile();
const BATCH = 100;

/** Together more than the service keeps unsent: each answer has 10 MB. */
const SOCKETS = 16;

describeService('large answers that one key requests at once and does not read', (service) => {
  const description = 'x'.repeat(100_000);
  const items = Array.from({ length: BATCH }, () => aContent({ profile_id: PROFILE.id, description }));
  beforeAll(async () => {
    await service().load('profiles', PROFILE);
    await service().load('content', ...items);
  });

  it('leave the requests of other keys as they were, and make further ones of the key a 429', async () => {
    const { key } = await service().newKey(100_000);
    const path = '/platforms/live_platform/content';
    const body = JSON.stringify({ content_ids: items.map(({ content_id: id }) => id) });
    const head = `POST ${path} HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nx-api-key: ${key}\r\n`;
    const sockets = Array.from({ length: SOCKETS }, () => connectTo(service().origin).pause());
    for (const socket of sockets) socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    const lookUp = () => service().get(`/platforms/live_platform/profiles/${PROFILE.id}`);
    await until('the key is limited', async () => {
      expect((await lookUp()).status).toBe(200);
      return (await service().get('/usage', { 'x-api-key': key })).status === 429;
    });
    for (let nth = 0; nth < 20; nth += 1) expect((await lookUp()).status).toBe(200);
    expect((await service().post(path, body, { 'x-api-key': key })).status).toBe(429);
    for (const socket of sockets) socket.destroy();
    await until(
      'the key is served again',
      async () => (await service().post(path, body, { 'x-api-key': key })).status === 200,
    );
  });
});
