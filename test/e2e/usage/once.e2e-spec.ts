import { ServerResponse } from 'node:http';
import { afterEach, expect, it, jest } from '@jest/globals';
import { describeService } from '../../support/service/test-service.js';
import { exportedRecords } from '../../support/service/usage.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describeService('an answer that cannot be written', (service) => {
  it('is recorded once, as settled, and its connection is closed', async () => {
    const { id, key } = await service().newKey();
    jest.spyOn(ServerResponse.prototype, 'writeHead').mockImplementationOnce(() => {
      throw new TypeError('Invalid character in header content');
    });
    await expect(service().get('/platforms/live_platform/profiles', { 'x-api-key': key })).rejects.toThrow(
      'socket hang up',
    );
    const rows = (await exportedRecords(service())).filter((row) => row.key_id === id);
    expect(rows.map(({ status }) => status)).toEqual([200]);
  });
});
