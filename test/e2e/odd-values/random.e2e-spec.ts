import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aContent, aProfile, uniqueId } from '../../support/records/builders.js';
import { ODD_ENCODED_TEXTS, ODD_TEXTS, problemOf } from '../../support/http/odd-values.js';
import {
  Description,
  loadOneOfEach,
  OPERATION_IDS,
  requestOf,
  sendOperation,
} from '../../support/openapi/operations.js';
import { describeService } from '../../support/service/test-service.js';

/** Number of requests; drills send fifty times as many. A failure prints its seed. */
const SCALE = process.env.FAULTS === undefined ? 1 : 50;
const REQUESTS = 1000 * SCALE;
const CURSORS = 100 * SCALE;
const LINES = 100 * SCALE;
const TIMEOUT_MS = 300_000 * SCALE;

/** Requests in flight at the same time. */
const AT_ONCE = 20;

const text = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'binary', maxLength: 60 }), fc.string());
const onWire = fc.oneof(fc.constantFrom(...ODD_ENCODED_TEXTS), text.map(encoded), fc.integer().map(String));
const anyValue = fc.oneof(text, fc.anything(), fc.jsonValue(), fc.bigInt().map(String));

/** Percent-encodes a text whose unpaired surrogates are replaced, as `encodeURIComponent` rejects them. */
function encoded(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

describeService('random input', (service) => {
  let description: Description;
  let id: string;
  beforeAll(async () => {
    description = await Description.of(service());
    id = await loadOneOfEach(service());
  });

  const wrongAmong = async (
    requests: readonly { operationId: string; path: Record<string, string>; query: string; body: string }[],
  ) => {
    const wrong = requests.map(async ({ operationId, path, query, body }) => {
      const operation = description.operation(operationId);
      const answer = await sendOperation(service(), requestOf(operation, id, { path, query, body }));
      const problem = problemOf(description, answer);
      if (problem !== null) return problem;
      return answer.status === 200 ? description.problemsOfSuccess(operation, answer.body) : [];
    });
    return (await Promise.all(wrong)).flat();
  };

  const aRequest = fc.constantFrom(...OPERATION_IDS).chain((operationId) => {
    const names = () => {
      const { parameters, bodyMembers } = description.operation(operationId);
      return { query: parameters.filter((one) => one.in === 'query').map(({ name }) => name), members: bodyMembers };
    };
    const parameter = fc.tuple(
      fc.nat(),
      fc.oneof(onWire, fc.constantFrom('1', '50', 'asc', 'desc', '2026-01-31', 'game')),
    );
    const member = fc.tuple(fc.nat(), anyValue);
    return fc.record({
      operationId: fc.constant(operationId),
      path: fc.dictionary(
        fc.constantFrom('platform', 'profile_id', 'content_id', 'game_id'),
        onWire.filter((value) => value !== '' && !/[?#]/.test(value)),
      ),
      query: fc
        .array(parameter, { maxLength: 5 })
        .map((pairs) => pairs.map(([nth, value]) => `${named(names().query, nth)}=${value}`).join('&')),
      body: fc.oneof(
        fc
          .array(member, { maxLength: 3 })
          .map((pairs) =>
            jsonText(Object.fromEntries(pairs.map(([nth, value]) => [named(names().members, nth), value]))),
          ),
        fc.anything().map(jsonText),
        text,
      ),
    });
  });

  it(
    `${REQUESTS} requests to every operation are answered with 2xx or 4xx, as described`,
    async () => {
      const requests = fc.array(aRequest, { minLength: AT_ONCE, maxLength: AT_ONCE });
      const property = fc.asyncProperty(requests, async (some) => expect(await wrongAmong(some)).toEqual([]));
      await fc.assert(property, { numRuns: REQUESTS / AT_ONCE });
      expect((await service().get('/usage')).status).toBe(200);
    },
    TIMEOUT_MS,
  );

  it(
    `${CURSORS} changed cursors are answered with a page or with 400 Invalid cursor`,
    async () => {
      const profileId = uniqueId();
      const items = Array.from({ length: 5 }, () => aContent({ content_id: uniqueId(), profile_id: profileId }));
      await service().load('profiles', aProfile({ id: profileId }));
      await service().load('content', ...items);
      const path = '/platforms/live_platform/content';
      const cursor = String((await service().get(`${path}?limit=1`)).body.paging.next_cursor);
      const change = fc.tuple(fc.nat(cursor.length), fc.nat(3), fc.string({ maxLength: 4 }));
      const property = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const changed = changes.reduce((old, [at, cut, put]) => old.slice(0, at) + put + old.slice(at + cut), cursor);
        const answer = await service().get(`${path}?cursor=${encoded(changed)}`);
        expect(problemOf(description, answer)).toBeNull();
        expect(['200', '400 Invalid cursor']).toContain(
          [answer.status, answer.body.error?.message ?? []].flat().join(' '),
        );
      });
      await fc.assert(property, { numRuns: CURSORS });
    },
    TIMEOUT_MS,
  );

  describe.each([
    ['profiles', () => aProfile({ id: uniqueId() })],
    ['content', () => aContent({ content_id: uniqueId() })],
  ] as const)('import %s', (kind, record) => {
    it(
      `${LINES} changed lines are each loaded, or rejected with their number and a reason`,
      async () => {
        const change = fc.record({
          at: fc.nat(),
          cut: fc.nat(12),
          put: fc.oneof(fc.constant(''), text),
          member: fc.nat(),
          value: anyValue,
        });
        const lines = fc.array(change, { minLength: 20, maxLength: 20 }).map((changes) =>
          changes.map(({ at, cut, put, member, value }, nth) => {
            const whole: Record<string, unknown> = { ...record() };
            if (nth % 2 === 0) return jsonText({ ...whole, [named(Object.keys(whole), member)]: value });
            const line = jsonText(whole);
            const start = at % line.length;
            return line.slice(0, start) + put.replaceAll(/[\n\r]/g, ' ') + line.slice(start + cut);
          }),
        );
        const property = fc.asyncProperty(lines, async (some) => {
          const { outcome, rejected } = await service().loadLines(kind, some);
          expect(outcome.loaded + outcome.rejected).toBe(some.filter((line) => line.trim() !== '').length);
          expect(rejected).toHaveLength(outcome.rejected);
          expect(rejected.filter(({ line, reason }) => !(line >= 1 && line <= some.length) || reason === '')).toEqual(
            [],
          );
        });
        await fc.assert(property, { numRuns: LINES / 20 });
        expect((await service().get('/platforms/live_platform/content?limit=50')).status).toBe(200);
      },
      TIMEOUT_MS,
    );
  });
});

/** Picks one of the names, or an unknown one. */
const named = (names: readonly string[], nth: number): string => names[nth % (names.length + 1)] ?? 'unknown';

function jsonText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? String(member) : member)) ?? '';
}
