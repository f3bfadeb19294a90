import { expect, it } from '@jest/globals';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';

const PATH = '/platforms/live_platform/profiles/search';

describeService('search with a cursor beyond the last creator', (service) => {
  it('gives neither count nor facets, because the page costs no credit', async () => {
    const id = uniqueId();
    await service().load('profiles', aProfile({ id, name: id }), aProfile());
    await service().untilSearchable();
    const { body: first } = await service().post(PATH, { limit: 1 });
    const decoded: unknown[] = JSON.parse(Buffer.from(first.paging.next_cursor, 'base64url').toString());
    // A client can make up a position after every creator.
    const position = decoded.with(3, -5);
    const cursor = Buffer.from(JSON.stringify(position)).toString('base64url');
    const request = { text: id, limit: 1, count: true, facets: ['language'], cursor };
    const { status, headers, body } = await service().post(PATH, request);
    expect([status, headers['x-credits'], body.payload]).toEqual([200, '0', []]);
    expect([body.meta.count, body.meta.facets]).toEqual([undefined, {}]);
  });
});
