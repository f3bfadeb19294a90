import { beforeAll, describe, expect, it } from '@jest/globals';
import { aGame, aProfile, uniqueId } from '../../support/records/builders.js';
import { AUDIENCE_ANALYSIS, CREATOR_ANALYSIS, sampleOf } from '../../support/records/reference-shapes.js';
import { describeService, TestService } from '../../support/service/test-service.js';
import { recordOf } from '../../support/service/usage.js';

const LIVE = '/platforms/live_platform';
const MAX_TAGS_CHARACTERS = 1024;

describeService('what a conditional request costs', (service) => {
  let creator: string;
  let another: string;
  let game: string;
  beforeAll(async () => {
    const [profile, other] = [aProfile(), aProfile()];
    game = `Conditional${uniqueId()}`;
    await service().load('profiles', profile, other);
    await service().load('games', aGame({ name: game }));
    for (const { id } of [profile, other]) {
      const of = { platform_id: 'live_platform', profile_id: id };
      await service().load('analysis', { ...of, analysis: sampleOf(CREATOR_ANALYSIS) });
      await service().load('audience', { ...of, audience: sampleOf(AUDIENCE_ANALYSIS) });
      await service().load('emails', { ...of, email: 'a@example.com' });
    }
    creator = `${LIVE}/profiles/${profile.id}`;
    another = `${LIVE}/profiles/${other.id}`;
  });

  const ask = (path: string, tags: string, method = 'GET') =>
    service().request(path, { method, headers: { 'if-none-match': tags } });
  const costOf = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) => [
    headers['x-quota-units'],
    headers['x-credits'],
  ];

  describe('`*`, which names no answer that the client has', () => {
    it.each([
      ['an analysis', () => `${creator}/analysis`, '100'],
      ['an audience', () => `${creator}/audience`, '100'],
      ['social links', () => `${creator}/socials`, '10'],
      ['an e-mail address', () => `${creator}/email`, '10'],
      ['a profile', () => creator, '1'],
      ['a list', () => `${LIVE}/profiles?limit=7`, '7'],
      ['a search', () => `/games/search?query=${game}&limit=3`, '3'],
      ['own usage', () => '/usage', '0'],
    ])('%s: 304 at the price of HEAD, without an ETag, and recorded so', async (_, path, units) => {
      for (const method of ['GET', 'HEAD']) {
        const answer = await ask(path(), '*', method);
        expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', undefined]);
        expect(costOf(answer)).toEqual([units, '0']);
        expect(await recordOf(service(), answer.headers['x-request-id'])).toMatchObject({
          status: 304,
          quota_units: Number(units),
          credits: 0,
          items_returned: 0,
        });
      }
    });

    it('what is not there is a 404 at its usual price', async () => {
      const answer = await ask(`${LIVE}/profiles/${uniqueId()}/analysis`, ' * ');
      expect([answer.status, ...costOf(answer)]).toEqual([404, '100', '0']);
    });

    it.each(['*, "x"', '"x", *', '*, *', 'W/*'])('in a list it stands for nothing: %s', async (tags) => {
      const answer = await ask(`${creator}/analysis`, tags);
      expect([answer.status, ...costOf(answer)]).toEqual([200, '100', '100']);
    });
  });

  describe('a tag', () => {
    it('of another creator does not tell that both have the same', async () => {
      for (const path of ['email', 'analysis', 'socials']) {
        const { etag } = (await service().get(`${another}/${path}`)).headers;
        const { status } = await ask(`${creator}/${path}`, String(etag));
        expect([path, status]).toEqual([path, 200]);
      }
    });

    it('cannot be computed from the answer: another installation makes another one', async () => {
      const installation = await TestService.start(service().dialect);
      try {
        const path = '/games/search?query=nothing-is-called-so';
        const [own, theirs] = [await service().get(path), await installation.get(path)];
        expect(own.body.payload).toEqual(theirs.body.payload);
        expect(own.headers.etag).not.toBe(theirs.headers.etag);
      } finally {
        await installation.stop();
      }
    });
  });

  it(`is refused where it names tags on more than ${MAX_TAGS_CHARACTERS} characters`, async () => {
    const own = String((await service().get(creator)).headers.etag);
    const most = `${own}, "${'x'.repeat(MAX_TAGS_CHARACTERS - own.length - 4)}"`;
    expect(most).toHaveLength(MAX_TAGS_CHARACTERS);
    expect((await ask(creator, most)).status).toBe(304);
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(creator, `${most}x`, method);
      expect([answer.status, ...costOf(answer)]).toEqual([400, '0', '0']);
    }
    expect((await ask(creator, `${most}x`)).body.error.message).toBe('If-None-Match must not exceed 1024 characters');
  });
});
