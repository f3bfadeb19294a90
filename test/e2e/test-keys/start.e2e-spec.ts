import { expect, it } from '@jest/globals';
import { openSampleDatabase } from '../../../src/operator/sample-data.js';
import { exportedRecords } from '../../support/service/usage.js';
import { describeService, type TestService } from '../../support/service/test-service.js';

const PROFILE = '/platforms/live_platform/profiles/10001';

describeService('the application for test keys', (service) => {
  /** Runs with a second service. @param failures how often the sample data cannot be opened */
  async function withSecond(
    failures: number,
    run: (second: TestService, opened: () => number, testKey: Record<string, string>) => Promise<void>,
  ): Promise<void> {
    let opened = 0;
    const second = await service().startSecond({}, [], () => {
      opened += 1;
      return opened > failures ? openSampleDatabase() : Promise.reject(new Error('the sample data is missing'));
    });
    try {
      await run(second, () => opened, { 'x-api-key': (await second.newTestKey(100)).key });
    } finally {
      await second.stop();
    }
  }

  it('is started by the first request with a genuine test key, not by others', async () => {
    await withSecond(0, async (second, opened, testKey) => {
      await second.get(PROFILE);
      await second.get(PROFILE, { 'x-api-key': '' });
      await second.get(PROFILE, { 'x-api-key': `cdk_test_${'0'.repeat(52)}` });
      await second.request(PROFILE, { method: 'DELETE', headers: testKey });
      expect(opened()).toBe(0);
      expect((await second.get(PROFILE, testKey)).status).toBe(200);
      expect(opened()).toBe(1);
    });
  });

  it('is started once, while all first requests wait for it', async () => {
    await withSecond(0, async (second, opened, testKey) => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => second.get(PROFILE, testKey)));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect(opened()).toBe(1);
    });
  });

  it('a start that fails is a 503, recorded for the key, and the next request tries again', async () => {
    await withSecond(1, async (second, opened, testKey) => {
      const failed = await second.get(PROFILE, testKey);
      expect([failed.status, failed.body.error.code]).toEqual([503, 'service_unavailable']);
      expect(failed.headers).toMatchObject({ 'retry-after': '5', 'x-test-mode': 'true', 'x-quota-units': '0' });
      expect((await second.get(PROFILE)).status).toBe(404);
      expect((await second.get(PROFILE, testKey)).status).toBe(200);
      expect(opened()).toBe(2);
      const records = await exportedRecords(second);
      const record = records.find(({ request_id }) => request_id === failed.headers['x-request-id']);
      expect(record).toMatchObject({ status: 503, quota_units: 0, key_id: expect.stringMatching(/^key_/) });
    });
  });
});
