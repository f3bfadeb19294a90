import { describe, expect, it } from '@jest/globals';
import { parseLine, type ImportKind } from './parse-line.js';

/** Valid lines, of which tests change one member. Analyses have only their required outer members. */
const VALID: Record<ImportKind, Record<string, unknown>> = {
  profiles: { platform_id: 'live_platform', id: '1' },
  content: { content_id: 'v1', platform: 'video_platform', type: 'video' },
  games: { id: '4', name: 'Thief' },
  analysis: { platform_id: 'live_platform', profile_id: '1' },
  audience: { platform_id: 'live_platform', profile_id: '1' },
  socials: { platform_id: 'live_platform', profile_id: '1' },
  emails: { platform_id: 'live_platform', profile_id: '1', email: 'a@b.example' },
  forgotten: { platform_id: 'live_platform', profile_id: '1', forgotten_at: '2026-01-31T09:30:00Z' },
  observations: {
    kind: 'profiles',
    platform_id: 'live_platform',
    id: '1',
    observed_at: '2026-01-31T09:30:00Z',
    observations: { members: [] },
  },
  history: { platform_id: 'live_platform', profile_id: '1', date: '2026-01-31', followers: 5 },
  provenance: {
    platform_id: 'live_platform',
    profile_id: '1',
    model: 'm',
    host: 'h',
    prompt_version: 'p',
    input_hash: 'x',
    input_tokens: 1,
    output_tokens: 1,
    made_at: '2026-01-31T09:30:00Z',
  },
};

const PLATFORMS_TEXT = 'live_platform, video_platform, photo_platform, short_platform, microblog_platform';
const INTEGER_TEXT = 'an integer from -(2^53 - 1) to 2^53 - 1';

function parse(kind: ImportKind, changes: Record<string, unknown>) {
  return parseLine(kind, JSON.stringify({ ...VALID[kind], ...changes }));
}

describe('the reason for rejection', () => {
  it.each<[ImportKind, Record<string, unknown>, string]>([
    ['profiles', { id: undefined }, 'id is missing'],
    ['profiles', { id: undefined, profile_id: '1' }, 'id is missing; unknown member: profile_id'],
    ['profiles', { id: 1, profile_id: '1' }, 'id must be a string'],
    ['profiles', { id: null }, 'id must be a string'],
    ['profiles', { id: 1 }, 'id must be a string'],
    ['profiles', { id: '' }, 'id must not be empty'],
    ['profiles', { id: 'x'.repeat(256) }, 'id must have at most 255 bytes in UTF-8'],
    ['profiles', { name: 'x'.repeat(256) }, 'name must have at most 255 bytes in UTF-8'],
    ['profiles', { display_name: '\ud800' }, 'display_name must not contain half a surrogate pair'],
    ['profiles', { statistics: { followers: 1.5 } }, `statistics.followers must be ${INTEGER_TEXT}`],
    ['profiles', { statistics: [] }, 'statistics must be an object'],
    ['profiles', { is_mature: 'no' }, 'is_mature must be true or false'],
    ['profiles', { updated_at: '2026-02-30T00:00:00.000Z' }, 'updated_at must be a date and time that exist'],
    ['profiles', { updated_at: 'today' }, 'updated_at must be a date-time such as 2026-01-31T09:30:00.000Z'],
    ['profiles', { platform_id: 'radio' }, `platform_id must be one of ${PLATFORMS_TEXT}`],
    ['forgotten', { forgotten_at: null }, 'forgotten_at must be a date-time such as 2026-01-31T09:30:00.000Z'],
    ['observations', { kind: 'socials' }, 'kind must be one of profiles, content, games'],
    ['observations', { platform_id: null }, 'platform_id is missing'],
    ['observations', { kind: 'games' }, 'platform_id must be null for games'],
    ['observations', { observations: {} }, 'observations.members must be an array of [time, [member, ...]]'],
    ['observations', { observations: { members: [[1.5, []]] } }, `observations.members[0][0] must be ${INTEGER_TEXT}`],
    [
      'observations',
      { observations: { members: [], snapshots: [[1]] } },
      'observations.snapshots[0] must be [time, viewers] or [time, viewers, game, name]',
    ],
    ['content', { type: 'all' }, 'type must be one of stream, video, short, long, post'],
    ['content', { type: null }, 'type must be one of stream, video, short, long, post'],
    ['content', { profile_id: '' }, 'profile_id must not be empty'],
    ['content', { tags: {} }, 'tags must be an array'],
    ['content', { tags: [null] }, 'tags[0] must be an object'],
    ['content', { tags: [{ type: 'live_platform_tag' }] }, 'tags[0].id is missing'],
    ['content', { categories: [{ id: '1' }] }, 'categories[0].type is missing'],
    ['content', { statistics: { viewers: null } }, 'statistics.viewers must be an object'],
    ['content', { statistics: { views: { sum: '1' } } }, `statistics.views.sum must be ${INTEGER_TEXT}`],
    [
      'content',
      { chapters: [{ id: 'a' }, { id: 'b', statistics: { likes: {} } }] },
      'unknown member: chapters[1].statistics.likes',
    ],
    ['games', { name: null }, 'name must be a string'],
    ['games', { name: 'x'.repeat(1001) }, 'name must have at most 1000 bytes in UTF-8'],
    [
      'games',
      { first_release_date: '2014-02-25' },
      'first_release_date must be a date-time such as 2026-01-31T09:30:00.000Z',
    ],
    ['socials', { links: [{ id: 'x', platform_id: 'x' }, 3] }, `links[0].platform_id must be one of ${PLATFORMS_TEXT}`],
    ['emails', { email: null }, 'email must be a string'],
    ['emails', { email: 'a' }, 'email must be an e-mail address'],
    ['history', { date: undefined }, 'date is missing'],
    ['history', { date: 20260131 }, 'date must be a string'],
    ['history', { date: '2026-02-29' }, 'date must be a calendar date such as 2026-01-31'],
    ['history', { date: '2026-01-31T00:00:00.000Z' }, 'date must be a calendar date such as 2026-01-31'],
    ['history', { followers: '5' }, `followers must be ${INTEGER_TEXT}`],
    ['history', { followers: 2 ** 53 }, `followers must be ${INTEGER_TEXT}`],
    ['history', { followers: null }, 'followers and views_estimated are both missing'],
    ['history', { observed_at: '2026-02-01T00:00:00.000Z' }, 'observed_at must be on the day of date'],
    ['history', { observed_at: '2026-01-31T23:00:00-05:00' }, 'observed_at must be on the day of date'],
    ['history', { observation: 1 }, 'unknown member: observation'],
    ['audience', { audience: null }, 'audience must be an object'],
    ['audience', { audience: {} }, 'audience.gender_distribution is missing'],
    ['analysis', { analysis: undefined }, 'analysis is missing'],
  ])('for a %s line with %j is %s', (kind, changes, reason) => {
    expect(parse(kind, changes)).toEqual({ reason });
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'Id'])(
    'names the unknown member %s at any depth',
    (name) => {
      const member = `"${name}":{"id":"1"}`;
      const profile = '"platform_id":"live_platform","id":"1"';
      expect(parseLine('profiles', `{${profile},${member}}`)).toEqual({ reason: `unknown member: ${name}` });
      expect(parseLine('profiles', `{${profile},"statistics":{${member}}}`)).toEqual({
        reason: `unknown member: statistics.${name}`,
      });
    },
  );

  it('is not affected by members inside __proto__', () => {
    expect(parseLine('games', '{"__proto__":{"id":"4"},"name":"Thief"}')).toEqual({
      reason: 'id is missing; unknown member: __proto__',
    });
  });

  it('shortens a long unknown name', () => {
    expect(parse('games', { ['x'.repeat(80)]: 1 })).toEqual({ reason: `unknown member: ${'x'.repeat(80)}` });
    expect(parse('games', { ['x'.repeat(5000)]: 1 })).toEqual({ reason: `unknown member: ${'x'.repeat(80)}…` });
  });
});
