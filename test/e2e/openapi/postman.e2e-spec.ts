import { expect, it } from '@jest/globals';
import { Collection } from 'postman-collection';
import { httpRequest } from '../../support/http/request.js';
import { itemsOf, sendItem } from '../../support/openapi/collection.js';
import { present } from '../../support/present.js';
import { describeService, type TestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

async function collectionOf(service: TestService, headers: Record<string, string> = {}): Promise<Collection> {
  const { status, body } = await httpRequest(service.origin, '/postman.json', { headers });
  expect(status).toBe(200);
  return new Collection(body);
}

describeService('/postman.json', (service) => {
  it('is a collection whose every request returns data once a test key is filled in', async () => {
    const collection = await collectionOf(service());
    collection.variables.upsert({ key: 'apiKey', value: (await service().newTestKey()).key });
    const items = itemsOf(collection);
    expect(items).toHaveLength(22);
    const search = present(items.find(({ name }) => name === 'Search for creators'));
    // The first search has the index of the sample data built.
    await until('the sample data is indexed', async () => (await sendItem(collection, search)).status !== 503);
    for (const item of items) {
      const { status, body } = await sendItem(collection, item);
      expect([item.name, status]).toEqual([item.name, 200]);
      expect(Object.keys(body.payload)).not.toEqual([]);
    }
  });

  it('has a value for every optional parameter, which is off until somebody turns it on', async () => {
    const parameters = itemsOf(await collectionOf(service())).flatMap(({ request }) => request.url.query.all());
    const optional = parameters.filter(({ key }) => key !== 'query' && key !== 'kind');
    expect(optional.length).toBeGreaterThan(20);
    for (const { key, value, disabled } of optional) {
      expect([key, disabled, value === '' || value === null]).toEqual([key, true, false]);
    }
  });

  it('addresses the origin that it was fetched from', async () => {
    const baseUrl = async (headers = {}) => (await collectionOf(service(), headers)).variables.get('baseUrl');
    expect(await baseUrl()).toBe(service().origin);
    expect(await baseUrl({ host: 'api.example.com' })).toBe('http://api.example.com');
  });

  it('contains no key', async () => {
    const collection = await collectionOf(service());
    expect(present(collection.variables.get('apiKey') ?? null)).toBe('');
  });
});
