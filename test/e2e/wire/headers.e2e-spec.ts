import { expect, it } from '@jest/globals';
import { describeService } from '../../support/service/test-service.js';

describeService('headers of answers', (service) => {
  it.each([
    ['a success', '/usage', {}],
    ['an error', '/platforms/live_platform/profiles/none', {}],
    ['a refusal', '/usage', { 'x-api-key': 'wrong' }],
    ['an unknown path', '/nothing', {}],
    ['the health check', '/health', {}],
  ])('forbid MIME sniffing and other origins, and do not name the framework: %s', async (_, path, more) => {
    const { headers } = await service().get(path, { origin: 'https://example.com', ...more });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cache-control']).toMatch(/^(private, no-cache|no-store)$/);
    expect(Object.keys(headers).filter((name) => /^access-control-|^x-powered-by$|^server$/.test(name))).toEqual([]);
  });
});
