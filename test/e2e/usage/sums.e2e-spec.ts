import { describe, expect, it } from '@jest/globals';
import { aContent, aGame, aProfile, liveGame, uniqueId } from '../../support/records/builders.js';
import { runForJson } from '../../support/service/command.js';
import type { Answer } from '../../support/http/request.js';
import { AUDIENCE_ANALYSIS, CREATOR_ANALYSIS, sampleOf } from '../../support/records/reference-shapes.js';
import { MIXED_REQUESTS } from '../../support/process/rounds.js';
import { describeService, type TestService } from '../../support/service/test-service.js';
import { ALL_DAYS, exportedRecords, type UsageRow } from '../../support/service/usage.js';

const CLIENTS = 24;
const LIVE = '/platforms/live_platform';

/** Creates a creator with all documents. @returns requests of every operation, with all usual answers */
async function mixedRequests(service: TestService): Promise<((nth: number) => Promise<Answer>)[]> {
  const profile = aProfile();
  const game = aGame({ name: `Summation${uniqueId()}` });
  const content = aContent({ profile_id: profile.id, categories: [liveGame(String(game.live_platform_id))] });
  const of = { platform_id: 'live_platform', profile_id: profile.id };
  await service.load('profiles', profile);
  await service.load('games', game);
  await service.load('content', content);
  await service.load('analysis', { ...of, analysis: sampleOf(CREATOR_ANALYSIS) });
  await service.load('audience', { ...of, audience: sampleOf(AUDIENCE_ANALYSIS) });
  await service.load('socials', { ...of, links: [{ id: 'x', platform_id: 'photo_platform' }] });
  await service.load('emails', { ...of, email: 'a@example.com' });
  const creator = `${LIVE}/profiles/${profile.id}`;
  return [
    () => service.get(creator),
    () => service.get(`${LIVE}/profiles/none`),
    (nth) => service.get(`${LIVE}/profiles?limit=${1 + (nth % 50)}`),
    (nth) =>
      service.post(`${LIVE}/profiles`, { profile_ids: Array.from({ length: 1 + (nth % 100) }, (_, n) => `p${n}`) }),
    () => service.post(`${LIVE}/profiles/lookup`, { handles: [profile.name, '@nobody'] }),
    () => service.get(`${LIVE}/content/${content.content_id}`),
    () => service.get(`${creator}/content`),
    () => service.get(`${LIVE}/games/${game.live_platform_id}/content?limit=100`),
    () => service.get(`/games/search?query=${game.name}`),
    () => service.get(`${LIVE}/games/${game.live_platform_id}`),
    () => service.get(`${creator}/analysis`),
    () => service.get(`${creator}/analysis`, { 'if-none-match': '*' }),
    () => service.get(`${creator}/audience`),
    () => service.get(`${creator}/socials`),
    () => service.get(`${creator}/email`),
    () => service.get(`${LIVE}/profiles/none/analysis`),
    () => service.get('/games/search?limit=0'),
    () => service.get('/no/path'),
    () => service.get('/usage'),
  ];
}

interface Sums {
  requests: number;
  quota_units: number;
  credits: number;
}

const sumOf = (rows: readonly UsageRow[]): Sums => ({
  requests: rows.length,
  quota_units: rows.reduce((sum, row) => sum + row.quota_units, 0),
  credits: rows.reduce((sum, row) => sum + row.credits, 0),
});

describeService(`the bill of ${MIXED_REQUESTS} mixed requests of ${CLIENTS} clients`, (service) => {
  describe('sum of X-Quota-Units and X-Credits', () => {
    it(
      'equals the key’s rows in the export, request ID by request ID, in usage summary and in GET /usage',
      async () => {
        const { id, key } = await service().newKey(1_000_000);
        const requests = await mixedRequests(service());
        service().key = key;
        const seen = new Map<string, string>();
        let sent = 0;
        const client = async () => {
          for (let nth = (sent += 1); nth <= MIXED_REQUESTS; nth = sent += 1) {
            const { headers, status } = await (requests[nth % requests.length] ?? (() => service().get('/usage')))(nth);
            seen.set(
              String(headers['x-request-id']),
              [status, headers['x-quota-units'], headers['x-credits']].join(' '),
            );
          }
        };
        await Promise.all(Array.from({ length: CLIENTS }, client));

        const own = await service().get('/usage');
        const summary = await runForJson(service().testDatabase, 'usage', 'summary', ...ALL_DAYS);
        const rows = (await exportedRecords(service(), '--key', id)).filter((row) => seen.has(row.request_id));
        expect(
          new Map(rows.map((row) => [row.request_id, [row.status, row.quota_units, row.credits].join(' ')])),
        ).toEqual(seen);
        expect(rows).toHaveLength(MIXED_REQUESTS);

        const billed = sumOf(rows);
        expect(billed.quota_units).toBeGreaterThan(MIXED_REQUESTS);
        expect(billed.credits).toBeGreaterThan(MIXED_REQUESTS);
        expect(own.body.meta.totals).toEqual(billed);
        const line = summary.lines.find((entry: { key: string }) => entry.key === id);
        // The summary includes the request to GET /usage, which its own answer could not.
        expect(line).toEqual({ key: id, key_name: 'a test', ...billed, requests: MIXED_REQUESTS + 1 });
      },
      60_000 + 10 * MIXED_REQUESTS,
    );
  });
});
