import { describe, expect, it } from '@jest/globals';
import { IMPORT_KINDS, MAX_LINE_BYTES, parseLine, type ImportKind } from './parse-line.js';

const AT = '2026-01-31T09:30:00.000Z';

/** Minimal valid lines by kind. */
const MINIMAL: Record<ImportKind, Record<string, unknown>> = {
  profiles: { platform_id: 'live_platform', id: '1' },
  content: { content_id: 'v1', platform: 'video_platform', type: 'video' },
  games: { id: '4', name: 'Thief' },
  analysis: {
    platform_id: 'live_platform',
    profile_id: '1',
    analysis: {
      channel_type: 'person',
      age_range: '25-34',
      primary_language: 'en',
      mpaa: { rating: 'PG', reason: 'mild' },
      biography: '',
      primary_classification: { topic: 't', category: 'c', reason: 'r' },
      family: { has_children: false, relationship_status: 'unknown' },
      appearance: { shows_face: true, is_vtuber: false, is_ai_generated_influencer: false },
      background: { original_motivation: 'fun' },
      business: {},
    },
  },
  audience: {
    platform_id: 'live_platform',
    profile_id: '1',
    audience: {
      gender_distribution: { male: { percentage: 60.5 }, female: { percentage: 38 }, non_binary: { percentage: 1.5 } },
      community_health: { loyalty_score: 0.5, cohesion_score: 1, toxicity_score: 0 },
      brand_safety: { overall_risk_level: 0.25 },
    },
  },
  socials: { platform_id: 'live_platform', profile_id: '1' },
  emails: { platform_id: 'live_platform', profile_id: '1', email: 'a@b.example' },
  forgotten: { platform_id: 'live_platform', profile_id: '1', forgotten_at: '2026-01-31T09:30:00Z' },
  observations: {
    kind: 'games',
    id: '1',
    observed_at: '2026-01-31T09:30:00Z',
    observations: { members: [[1, ['name']]] },
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

function parse(kind: ImportKind, changes: Record<string, unknown> = {}) {
  return parseLine(kind, JSON.stringify({ ...MINIMAL[kind], ...changes }));
}

/** Parses the minimal analysis line with changes to the analysis itself. */
function parseAnalysis(changes: Record<string, unknown>) {
  return parse('analysis', { analysis: { ...(MINIMAL.analysis.analysis as object), ...changes } });
}

describe('a line of each kind', () => {
  it.each(IMPORT_KINDS)('%s: is unchanged if it is canonical', (kind) => {
    const first = parse(kind);
    if (!('record' in first)) throw new Error(first.reason);
    const text = JSON.stringify(first.record);
    const second = parseLine(kind, text);
    expect('record' in second && JSON.stringify(second.record)).toBe(text);
  });

  it.each(IMPORT_KINDS)('%s: is rejected if it has an unknown member', (kind) => {
    expect(parse(kind, { extra: null })).toEqual({ reason: 'unknown member: extra' });
  });

  it('fills in all members of a profile, in the documented order', () => {
    const parsed = parseLine('profiles', '{"id":"1","platform_id":"live_platform"}');
    expect(JSON.stringify(parsed)).toBe(
      '{"record":{"platform_id":"live_platform","id":"1","name":null,"display_name":null,"url":null,' +
        '"description":null,"profile_image":null,"banner_image":null,"language":null,' +
        '"statistics":{"followers":null,"views_estimated":null},"account_type":null,"is_mature":null,' +
        '"updated_at":null,"last_active_at":null}}',
    );
  });

  it('fills in members of content, but not missing statistics', () => {
    const parsed = parse('content', {
      statistics: { comments: { sum: 3 }, viewers: {} },
      chapters: [
        {
          id: 'c',
          categories: [{ id: '9', type: 'live_platform_game' }],
          tags: [{ id: 't', type: 'live_platform_tag' }],
        },
      ],
    });
    expect(parsed).toEqual({
      record: {
        content_id: 'v1',
        platform: 'video_platform',
        type: 'video',
        title: null,
        description: null,
        created_at: null,
        ended_at: null,
        duration: null,
        url: null,
        categories: [],
        tags: [],
        statistics: { viewers: { avg: null, max: null }, comments: { sum: 3, avg: null } },
        chapters: [
          {
            id: 'c',
            title: null,
            description: null,
            created_at: null,
            ended_at: null,
            duration: null,
            categories: [
              {
                id: '9',
                type: 'live_platform_game',
                name: null,
                gamedb_id: null,
                gamedb_name: null,
                gamedb_slug: null,
              },
            ],
            tags: [{ id: 't', type: 'live_platform_tag', name: null }],
            statistics: {},
          },
        ],
        profile_id: null,
      },
    });
  });

  it('fills in members of links, games, e-mail addresses and analyses', () => {
    expect(parse('socials', { links: [{ id: 'x', platform_id: 'short_platform' }] })).toMatchObject({
      record: { links: [{ id: 'x', name: null, platform_id: 'short_platform', followers: null }] },
    });
    expect(parse('games')).toMatchObject({ record: { slug: null, total_rating_count: null } });
    expect(parse('emails')).toMatchObject({ record: { updated_at: null } });
    expect(parse('history')).toMatchObject({ record: { views_estimated: null } });
    expect(parse('audience', { last_updated_at: '2026-01-31T10:30:00+01:00' })).toMatchObject({
      record: { last_updated_at: AT, audience: { countries: [], interests: [], brand_safety: { risk_factors: [] } } },
    });
    expect(parse('analysis', { updated_at: AT })).toMatchObject({
      record: { updated_at: AT, analysis: { gender: null, birthday: null, aliases: [], business: { ventures: [] } } },
    });
  });
});

describe('an odd line', () => {
  it.each(['', ' ', '{', '{"id":1,}', "{'id':1}", 'NaN', '{}{}', '\uFEFF', '['.repeat(100_000)])(
    '%#: is not JSON',
    (text) => {
      expect(parseLine('profiles', text)).toEqual({ reason: 'not JSON' });
    },
  );

  it.each(['[]', 'null', '1', '"text"', 'true', `${'['.repeat(1000)}${']'.repeat(1000)}`])(
    '%#: is not an object',
    (text) => {
      expect(parseLine('profiles', text)).toEqual({ reason: 'not an object' });
    },
  );

  it('may start with a byte order mark', () => {
    expect(parseLine('games', '\uFEFF{"id":"4","name":"Thief"}')).toMatchObject({ record: { id: '4' } });
  });

  it('uses the last value of a repeated member', () => {
    expect(parseLine('games', '{"id":"4","id":"5","name":"Thief"}')).toMatchObject({ record: { id: '5' } });
  });
});

describe('the length of a line', () => {
  const frame = JSON.stringify({ ...MINIMAL.profiles, description: '' }).length;

  it.each([
    ['a', 1],
    ['é', 2],
    ['☃', 3],
    ['😀', 4],
  ])('is counted in UTF-8 bytes (%s)', (character, bytes) => {
    const room = MAX_LINE_BYTES - frame;
    const description = character.repeat(Math.floor(room / bytes)) + 'a'.repeat(room % bytes);
    expect(parse('profiles', { description })).toHaveProperty('record.description', description);
    expect(parse('profiles', { description: `${description}a` })).toEqual({ reason: 'line is longer than 1 MiB' });
  });

  it('does not make a line with many problems expensive', () => {
    const links = Array.from({ length: 500_000 }, () => 1);
    expect(parse('socials', { links })).toEqual({ reason: 'links[0] must be an object' });
  });
});

describe('an analysis', () => {
  it('may omit only arrays and nullable members', () => {
    expect(parseAnalysis({ residence: null, nationality: null, height_in_inches: null })).toHaveProperty('record');
    expect(parseAnalysis({ biography: null })).toEqual({ reason: 'analysis.biography must be a string' });
    expect(parseAnalysis({ family: undefined })).toEqual({ reason: 'analysis.family is missing' });
    expect(parseAnalysis({ birthday: { birthday_day: 1, birthday_month: 2 } })).toEqual({
      reason: 'analysis.birthday.birthday_year is missing',
    });
    expect(parseAnalysis({ business: { ventures: [{ name: 'x' }] } })).toEqual({
      reason:
        'analysis.business.ventures[0].venture_name is missing; unknown member: analysis.business.ventures[0].name',
    });
  });
});
