import { expect, it } from '@jest/globals';
import { Description } from '../../support/openapi/operations.js';
import { describeService } from '../../support/service/test-service.js';
import { exportedRecords } from '../../support/service/usage.js';

describeService('/llms.txt', (service) => {
  const read = () => service().request('/llms.txt', { headers: { 'x-api-key': '' } });

  it('is plain text that needs no key and is not recorded', async () => {
    const { status, headers } = await read();
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(await exportedRecords(service())).toHaveLength(2);
  });

  it('has a title, a summary, and each operation with its parameters and its price', async () => {
    const { text } = await read();
    expect(text).toMatch(/^# Creator Data Lookup Service\n\n> \S.+\n/);
    const description = await Description.of(service());
    for (const { operationId, method, path, bodyMembers } of description.operations.filter(
      ({ needsKey }) => needsKey,
    )) {
      const line = text
        .split('\n')
        .find((candidate) => candidate.startsWith(`- \`${method} ${path}\` (${operationId}): `));
      expect(line).toMatch(/ Price: .+\.$/);
      for (const name of bodyMembers) expect(line).toContain(name);
    }
    expect(text).toContain('Price: 1 unit for each item asked for, 2 credits for each item returned.');
  });

  it('says what holds for all operations once, and has no empty paragraphs', async () => {
    const { text } = await read();
    const [about = ''] = text.split('\n## ');
    for (const name of ['x-api-key', 'paging.next_cursor', 'X-RateLimit-minute-remaining', 'X-Quota-Units', '/mcp']) {
      expect([name, about.split(`\`${name}\``).length - 1]).toEqual([name, 1]);
    }
    expect(text).not.toContain('\n\n\n');
  });

  it('links only to existing pages', async () => {
    const { text } = await read();
    const links = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, link]) => String(link));
    expect(links).toContain('/openapi.json');
    for (const link of links) {
      expect((await service().request(link, { headers: { 'x-api-key': '' } })).status).toBe(200);
    }
  });

  it('rejects other methods: 405', async () => {
    const { status, headers } = await service().request('/llms.txt', { method: 'POST' });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});
