import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClientSession } from '../../support/clients/client-session.js';
import { LANGUAGES } from '../../support/clients/installed-client.js';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { Description, NEEDED_QUERY, type DescribedOperation } from '../../support/openapi/operations.js';
import { sampleRequestValues } from '../../support/records/sample-data.js';
import { isSentAlone, sendExample } from '../../support/openapi/examples.js';

const camelCase = (id: string) => id.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Method of the client for an operation; `health` is `health.get`. */
const methodOf = (id: string) => camelCase(id.includes('.') ? id : `${id}.get`);

/** Days without usage: the usage of today grows with each request. */
const DAYS_WITHOUT_USAGE = { start_date: '2020-01-01', end_date: '2020-01-01' };

/** Parameters and body of a request of an operation: its examples, without parameters that exclude others. */
function exampleOf({ operationId, parameters, bodyExample }: DescribedOperation) {
  const examples = parameters.flatMap(({ name, example }) =>
    example === undefined || isSentAlone(name) ? [] : [[name, example] as const],
  );
  const given = { ...Object.fromEntries(examples), ...(operationId === 'usage.get' ? DAYS_WITHOUT_USAGE : {}) };
  return { parameters: given as Record<string, string | number>, body: bodyExample ?? {} };
}

describe.each(LANGUAGES)('the client for %s', (language) => {
  let session: ClientSession;
  let description: Description;
  beforeAll(async () => {
    session = await ClientSession.open(language);
    description = await Description.of(session.service);
  });
  afterAll(() => session.close());

  it('forces the answer of a test key', async () => {
    const { key: apiKey } = await session.service.newTestKey();
    const driver = session.start({ apiKey, testAnswer: '402' });
    const { error } = await driver.call({ method: 'usage.get' });
    expect(error).toMatchObject({ status: 402, code: 'monthly_allowance_used_up', attempts: 1 });
  });

  it('has a method for every operation, which returns what the service answers', async () => {
    const driver = session.start();
    expect(description.operations.length).toBeGreaterThan(17);
    for (const operation of description.operations) {
      const { operationId: id } = operation;
      const example = exampleOf(operation);
      const direct = await sendExample(session.service, operation, example);
      const { answer } = await driver.call({
        method: methodOf(id),
        parameters: { ...example.parameters, ...example.body },
      });
      expect([id, answer.status]).toEqual([id, 200]);
      expect(answer.payload).toEqual(direct.body.payload);
      expect(Object.keys(answer.meta).toSorted()).toEqual(Object.keys(direct.body.meta).toSorted());
      expect(answer.paging).toEqual(direct.body.paging);
    }
  });

  it('walks every list to its end, record by record and page by page', async () => {
    const driver = session.start();
    const values = sampleRequestValues();
    const lists = description.operations.filter(
      ({ method, parameters }) => method === 'GET' && parameters.some(({ name }) => name === 'cursor'),
    );
    expect(lists.length).toBeGreaterThan(3);
    for (const { operationId: id, path, parameters } of lists) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => [name, values[name]]);
      const given = Object.fromEntries(inPath) as Record<string, string>;
      const expected = await session.service.walk(
        path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? ''),
        NEEDED_QUERY[id],
      );
      const call = { parameters: { ...given, ...NEEDED_QUERY[id], limit: 2 } };
      expect((await driver.call({ method: `${methodOf(id)}All`, ...call })).items).toEqual(expected);
      const { items: pages = [] } = await driver.call({ method: `${methodOf(id)}Pages`, ...call });
      expect(pages.flatMap(({ payload }) => payload)).toEqual(expected);
      expect(pages.length).toBeGreaterThan(1);
    }
  });

  it('walks a list from a cursor on', async () => {
    const driver = session.start();
    const parameters = { platform: 'live_platform', limit: 3 };
    const { items: pages = [] } = await driver.call({ method: 'profiles.listPages', parameters });
    const cursor = pages[0].paging.next_cursor;
    const { items } = await driver.call({ method: 'profiles.listAll', parameters: { ...parameters, cursor } });
    expect(items).toEqual(pages.slice(1).flatMap(({ payload }) => payload));
  });

  it('looks up more than 100 IDs in parts, each ID once', async () => {
    const driver = session.start();
    const unknown = Array.from({ length: 230 }, (_, nth) => `none-${nth}`);
    const parameters = { platform: 'live_platform', profile_ids: ['10001', ...unknown, '10002', '10001'] };
    const { items: answers = [] } = await driver.call({ method: 'profiles.batchInParts', parameters });
    expect(answers.map(({ cost }) => cost.quotaUnits)).toEqual([100, 100, 32]);
    expect(answers.flatMap(({ payload }) => payload.map(({ id }: { id: string }) => id))).toEqual(['10001', '10002']);
    expect(answers.flatMap(({ meta }) => meta.missing_ids)).toEqual(unknown);
  });

  it('puts any ID into the path, and rejects one that would change the path', async () => {
    const driver = session.start();
    const profile_id = `a/b c?d=#%2F.${uniqueId()}ü`;
    await session.service.load('profiles', aProfile({ id: profile_id }));
    const get = (id: string) =>
      driver.call({ method: 'profiles.get', parameters: { platform: 'live_platform', profile_id: id } });
    expect((await get(profile_id)).answer.payload.id).toBe(profile_id);
    for (const id of ['', '.', '..']) {
      expect((await get(id)).error).toEqual({
        type: language === 'Python' ? 'ValueError' : 'TypeError',
        message: 'profile_id must be a string, and not "", "." or ".."',
      });
    }
  });

  it('sends nothing with a parameter that the operation does not have, because it would be another request', async () => {
    const driver = session.start();
    const parameters = { platform: 'live_platform', filter: { language: ['de'] } };
    const { error } = await driver.call({ method: 'profiles.search', parameters });
    expect([error.type, error.message]).toEqual(['TypeError', expect.stringContaining('filter')]);
  });

  it('returns cost, limit and request ID with an answer', async () => {
    const { key } = await session.service.newKey(30);
    const driver = session.start({ apiKey: key });
    const parameters = { query: 'starhaven', limit: 2 };
    const { answer } = await driver.call({ method: 'games.search', parameters });
    expect(answer).toMatchObject({
      cost: { quotaUnits: 2, credits: 4 },
      rateLimit: { limit: 30, remaining: 29, resetAt: expect.stringMatching(/^\d{4}-.*:\d\d\.000Z$/) },
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      contentType: 'application/json; charset=utf-8',
      attempts: 1,
      notModified: false,
    });
  });

  it('makes an error of every answer but a success, with its cost and what its body says', async () => {
    const driver = session.start();
    const none = { platform: 'live_platform', profile_id: 'none' };
    expect((await driver.call({ method: 'profiles.get', parameters: none })).error).toMatchObject({
      type: 'ApiError',
      status: 404,
      message: 'Profile not found',
      cost: { quotaUnits: 1, credits: 0 },
      rateLimit: { limit: 1_000_000 },
      attempts: 1,
    });
    const { body } = await session.service.get('/platforms/live_platform/profiles?order=up');
    const { error } = await driver.call({
      method: 'profiles.list',
      parameters: { platform: 'live_platform', order: 'up' },
    });
    expect(error).toMatchObject({
      status: 400,
      message: body.error.message,
      code: 'invalid_parameter',
      parameter: 'order',
      allowed: ['asc', 'desc'],
      hint: null,
      documentationUrl: '/docs/errors#invalid_parameter',
    });
    expect(error.body.meta.request_id).toBe(error.requestId);
  });

  it('returns the data of an earlier answer for free until it changes', async () => {
    const driver = session.start();
    const profile_id = uniqueId();
    await session.service.load('profiles', aProfile({ id: profile_id, display_name: 'Before' }));
    const call = { method: 'profiles.get', parameters: { platform: 'live_platform', profile_id } };
    await driver.call(call);
    for (const _ of [1, 2]) {
      const { answer } = await driver.call({ ...call, usesLast: true });
      expect(answer).toMatchObject({
        status: 304,
        notModified: true,
        cost: { quotaUnits: 0 },
        payload: { display_name: 'Before' },
      });
    }
    await session.service.load('profiles', aProfile({ id: profile_id, display_name: 'After' }));
    const { answer } = await driver.call({ ...call, usesLast: true });
    expect(answer).toMatchObject({
      status: 200,
      notModified: false,
      cost: { quotaUnits: 1 },
      payload: { display_name: 'After' },
    });
  });

  it('does so by itself with a cache, for each address', async () => {
    const driver = session.start({ hasCache: true });
    const walk = () =>
      driver.call({ method: 'profiles.listPages', parameters: { platform: 'live_platform', limit: 5 } });
    const { items: first = [] } = await walk();
    const { items: second = [] } = await walk();
    expect(first.length).toBeGreaterThan(1);
    expect(second.map(({ status, cost }) => [status, cost.quotaUnits])).toEqual(first.map(() => [304, 0]));
    expect(second.map(({ payload }) => payload)).toEqual(first.map(({ payload }) => payload));
  });
});
