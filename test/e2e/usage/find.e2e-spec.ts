import { afterEach, expect, it } from '@jest/globals';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';

describeService('usage find', (service) => {
  afterEach(() => service().clock.reset());
  const usage = (...args: string[]) => runInProcess(service().testDatabase, 'usage', ...args);

  it('prints the record of a request by its ID, in either case, with the name of the key', async () => {
    const { id, key } = await service().newKey();
    const requests: unknown[] = [];
    for (const day of ['2024-06-01', '2024-06-02']) {
      service().clock.stopAt(Date.parse(`${day}T12:00:00Z`));
      const { headers } = await service().get('/platforms/live_platform/content/none', { 'x-api-key': key });
      requests.push(headers['x-request-id']);
    }
    service().clock.reset();
    const found = await runForJson(service().testDatabase, 'usage', 'find', String(requests[0]).toUpperCase());
    expect(found).toMatchObject({
      request_id: requests[0],
      occurred_at: '2024-06-01T12:00:00.000Z',
      key_id: id,
      key_name: 'a test',
      operation: 'content.get',
      status: 404,
      quota_units: 1,
    });
    expect((await usage('find', String(requests[1]))).out).toMatch(/occurred_at +2024-06-02T12:00:00\.000Z/);
  });

  it('exits with status 1 for an unknown ID, after reading all records', async () => {
    const { status, out, err } = await usage('find', '00000000-0000-4000-8000-000000000000');
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(/^there is no record of request 00000000-0000-4000-8000-000000000000: check the ID/);
  });
});
