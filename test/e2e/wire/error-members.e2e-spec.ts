import { beforeAll, describe, expect, it } from '@jest/globals';
import { GAME_PLATFORMS, PLATFORMS } from '../../../src/model/platforms.js';
import { exchange } from '../../support/http/raw-socket.js';
import { loadOneOfEach } from '../../support/openapi/operations.js';
import { describeService } from '../../support/service/test-service.js';

const LIST = '/platforms/live_platform/profiles';
const COMMON_MESSAGE = 'Invalid platform or missing required parameter';

describeService('members of an error beside status and message', (service) => {
  let id: string;
  beforeAll(async () => {
    id = await loadOneOfEach(service());
  });

  const errorOf = async (path: string, headers: Record<string, string> = {}) =>
    (await service().get(path, headers)).body.error as Record<string, unknown>;

  /** Members that depend on the request. */
  const membersOf = async (path: string, headers: Record<string, string> = {}) => {
    const { status: _status, documentation_url: _url, ...members } = await errorOf(path, headers);
    return members;
  };

  it('an invalid platform and a missing parameter have the same message, and differ in code and parameter', async () => {
    expect(await membersOf('/platforms/nowhere/profiles')).toEqual({
      message: COMMON_MESSAGE,
      code: 'invalid_platform',
      parameter: 'platform',
      allowed: PLATFORMS,
      hint: 'Use one of the platforms in allowed.',
    });
    expect(await membersOf('/games/search?query=a&platform=photo_platform')).toEqual({
      message: COMMON_MESSAGE,
      code: 'invalid_platform',
      parameter: 'platform',
      allowed: GAME_PLATFORMS,
      hint: 'Use one of the platforms in allowed.',
    });
    expect(await membersOf('/games/search')).toEqual({
      message: COMMON_MESSAGE,
      code: 'missing_parameter',
      parameter: 'query',
      hint: 'Add the parameter query.',
    });
    expect(await membersOf('/platforms/live_platform/changes')).toMatchObject({
      code: 'missing_parameter',
      parameter: 'kind',
      allowed: expect.arrayContaining(['profiles', 'content']),
    });
    const { body } = await service().post(LIST, {});
    expect(body.error).toMatchObject({
      message: COMMON_MESSAGE,
      code: 'missing_parameter',
      parameter: 'profile_ids',
      hint: 'Add the member profile_ids to the body.',
    });
  });

  it('a handle in place of an ID is not found, with a hint that names the look-up of handles', async () => {
    expect(await membersOf(`${LIST}/@lumen_vale`)).toEqual({
      message: 'Profile not found',
      code: 'profile_not_found',
      hint: 'Creators are found by ID. POST /platforms/{platform}/profiles/lookup returns the ID of a handle, and POST /platforms/{platform}/profiles/search finds creators by filters.',
    });
  });

  it.each(['page', 'offset'])(
    'the unknown parameter `%s` lists the known ones, and points to `cursor`',
    async (name) => {
      expect(await membersOf(`${LIST}?${name}=2`)).toEqual({
        message: `Unknown parameter: ${name}`,
        code: 'unknown_parameter',
        parameter: name,
        allowed: expect.arrayContaining(['limit', 'cursor', 'sort', 'order', 'start_date', 'end_date']),
        hint: 'Pages are not numbered: pass paging.next_cursor of the page before as cursor.',
      });
    },
  );

  it('an unknown parameter lists nothing where none is accepted', async () => {
    expect(await membersOf(`${LIST}/${id}/socials?page=1`)).toEqual({
      message: 'Unknown parameter: page',
      code: 'unknown_parameter',
      parameter: 'page',
      allowed: [],
    });
  });

  it('an unknown member of the body lists the known ones', async () => {
    const { body } = await service().post(LIST, { ids: [id] });
    expect(body.error).toMatchObject({ code: 'unknown_parameter', parameter: 'ids', allowed: ['profile_ids'] });
  });

  it.each([
    ['limit=51', { code: 'invalid_parameter', parameter: 'limit' }],
    ['order=up', { code: 'invalid_parameter', parameter: 'order', allowed: ['asc', 'desc'] }],
    [
      'sort=x',
      { code: 'invalid_parameter', parameter: 'sort', allowed: ['updated_at', 'last_active_at', 'followers'] },
    ],
    ['start_date=x', { code: 'invalid_parameter', parameter: 'start_date' }],
    ['limit=1&limit=2', { code: 'repeated_parameter', parameter: 'limit' }],
    ['start_date=2026-02-01&end_date=2026-01-01', { code: 'conflicting_parameters' }],
    ['sort=followers&start_date=2026-02-01', { code: 'conflicting_parameters' }],
    [
      'cursor=x',
      {
        code: 'invalid_cursor',
        parameter: 'cursor',
        hint: 'Pass paging.next_cursor unchanged, with the same path, sort, order and kind.',
      },
    ],
  ])('the query %s is explained by %j', async (query, expected) => {
    const { message, ...members } = await membersOf(`${LIST}?${query}`);
    expect(typeof message).toBe('string');
    expect(members).toEqual(expected);
  });

  it('days that span too much, or end before they begin, conflict', async () => {
    for (const query of ['start_date=2020-01-01&end_date=2026-01-01', 'end_date=2020-01-01']) {
      expect(await membersOf(`/usage?${query}`)).toMatchObject({ code: 'conflicting_parameters' });
    }
  });

  it('both names of the search text conflict', async () => {
    expect(await membersOf('/games/search?query=a&q=a')).toEqual({
      message: 'query and q are the same parameter: give one of them',
      code: 'conflicting_parameters',
    });
  });

  it('each 404 has its own code', async () => {
    const other = `/platforms/video_platform/profiles/${id}`;
    await service().load('profiles', { platform_id: 'video_platform', id });
    for (const [path, code] of [
      [`${LIST}/none`, 'profile_not_found'],
      ['/platforms/live_platform/content/none', 'content_not_found'],
      ['/platforms/gamedb/games/none', 'game_not_found'],
      [`${other}/analysis`, 'analysis_not_available'],
      [`${other}/audience`, 'audience_not_available'],
      [`${other}/email`, 'email_not_available'],
      ['/nothing', 'path_not_found'],
    ] as const) {
      expect(await errorOf(path)).toMatchObject({ status: 404, code });
    }
  });

  it('a 404 of what a creator may lack says how to ask for one unit', async () => {
    await service().load('profiles', { platform_id: 'microblog_platform', id });
    for (const what of ['analysis', 'audience', 'email']) {
      expect(await membersOf(`/platforms/microblog_platform/profiles/${id}/${what}`)).toMatchObject({
        code: `${what}_not_available`,
        hint: expect.stringContaining('include=available'),
      });
    }
  });

  it('a key with "Bearer" before it is told so', async () => {
    expect(await errorOf('/usage', { 'x-api-key': 'Bearer cdk_x' })).toMatchObject({
      status: 403,
      hint: 'Send the key alone, without "Bearer ".',
    });
  });

  it('bodies that cannot be read have their own codes', async () => {
    const code = async (body: string, type = 'application/json') =>
      (await service().post(LIST, body, { 'content-type': type })).body.error.code as unknown;
    expect(await code('{')).toBe('invalid_json');
    expect(await code('{}', 'text/plain')).toBe('unsupported_media_type');
    expect(await code(JSON.stringify('x'.repeat(256 * 1024)))).toBe('body_too_large');
    expect(await code('[['.repeat(50) + ']]'.repeat(50))).toBe('body_too_deep');
    expect(await code(JSON.stringify({ x: Array(1000).fill({}) }))).toBe('body_too_complex');
    expect(await code(JSON.stringify({ x: Array(4002).fill(1.5) }))).toBe('body_too_complex');
  });

  it('429s of the minute and of invalid keys differ in code', async () => {
    const { key } = await service().newKey(1);
    await service().get('/usage', { 'x-api-key': key });
    expect(await errorOf('/usage', { 'x-api-key': key })).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    for (let sent = 0; sent < 30; sent += 1) await errorOf('/usage', { 'x-api-key': 'wrong' });
    const wrong = await errorOf('/usage', { 'x-api-key': 'wrong' });
    expect(wrong).toMatchObject({ status: 429, message: 'Rate limit exceeded', code: 'too_many_invalid_keys' });
  });

  describe('answers on the socket', () => {
    it.each([
      ['malformed HTTP', 'GET / HTTP/1.1\r\nHost: test\r\nbad header\r\n\r\n', 400, 'malformed_request'],
      [
        'headers that are too large',
        `GET / HTTP/1.1\r\nHost: test\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
        431,
        'headers_too_large',
      ],
    ])('%s: the same members', async (_, bytes, status, code) => {
      const { answers } = await exchange(service().origin, bytes);
      expect(answers[0]?.body?.error).toEqual({
        status,
        message: expect.any(String),
        code,
        documentation_url: `/docs/errors#${code}`,
      });
    });
  });
});
