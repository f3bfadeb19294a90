import { describe, expect, it } from '@jest/globals';
import { reading } from '../../../test/support/sources/mapping.js';
import { twitch } from './twitch.js';

const { map, of, profile, rejected } = reading(twitch);
const FETCHED = { fetchedAt: new Date('2026-11-22T10:00:00Z') };

const USER = {
  id: '9001',
  login: 'mockcaster',
  display_name: 'MockCaster',
  type: '',
  broadcaster_type: 'partner',
  description: 'Plays invented games.',
  profile_image_url: 'https://images.example/p.png',
  offline_image_url: 'https://images.example/o.png',
  view_count: 12345,
  created_at: '2016-12-14T20:32:28.894263Z',
};
const page = (...data: object[]) => ({ data, pagination: {} });

describe('a Twitch user', () => {
  it('becomes a profile', () => {
    expect(of('profile', page(USER), FETCHED)).toEqual([
      {
        kind: 'profile',
        platform: 'live_platform',
        id: '9001',
        observedAt: FETCHED.fetchedAt,
        known: {
          name: 'mockcaster',
          display_name: 'MockCaster',
          url: 'https://www.twitch.tv/mockcaster',
          description: 'Plays invented games.',
          profile_image: 'https://images.example/p.png',
          banner_image: 'https://images.example/o.png',
          account_type: 'partner',
        },
      },
    ]);
  });

  it('has null for empty members', () => {
    const empty = { ...USER, description: '', broadcaster_type: '', profile_image_url: '', offline_image_url: '' };
    expect(profile(page(empty))).toMatchObject({
      description: null,
      account_type: null,
      profile_image: null,
      banner_image: null,
    });
  });

  it('omits views, whose count is obsolete, and followers and language', () => {
    for (const name of ['statistics', 'language', 'is_mature']) expect(profile(page(USER))).not.toHaveProperty(name);
  });

  it('is mapped without the page around it', () => {
    expect(profile(USER)).toMatchObject({ name: 'mockcaster' });
  });

  it('without an ID is rejected, and its neighbours are mapped', () => {
    const { id: _, ...nameless } = USER;
    expect(rejected(page(nameless, USER))).toEqual(['data[0].id: is missing']);
    expect(of('profile', page(nameless, USER))).toHaveLength(1);
  });

  it('with a member of a wrong type is rejected with its path', () => {
    expect(rejected(page(USER, { ...USER, login: 7 }))).toEqual(['data[1].login: must be a string']);
  });

  it('reports unknown members', () => {
    expect(map(page({ ...USER, sparkle: 1 }, { ...USER, sparkle: 2 })).unknownMembers).toEqual([
      'users.sparkle',
      'users.sparkle',
    ]);
    expect(map(page(USER)).unknownMembers).toEqual([]);
  });

  it('has text that can be stored', () => {
    expect(profile(page({ ...USER, description: 'a\0b\ud800c' }))).toMatchObject({
      description: 'a\u{FFFD}b\u{FFFD}c',
    });
  });
});

const CHANNEL = {
  broadcaster_id: '9001',
  broadcaster_login: 'mockcaster',
  broadcaster_name: 'MockCaster',
  broadcaster_language: 'de',
  game_id: '77',
  game_name: 'Mock Quest',
  title: 'Hi',
  delay: 0,
  tags: ['cosy'],
  content_classification_labels: [] as string[],
  is_branded_content: false,
};

describe('a Twitch channel', () => {
  it('has a language and is not mature', () => {
    expect(of('profile', page(CHANNEL))[0]).toMatchObject({ id: '9001', known: { language: 'de', is_mature: false } });
  });

  it.each(['MatureGame', 'SexualThemes', 'ViolentGraphic', 'DrugsIntoxication', 'Gambling', 'ProfanityVulgarity'])(
    'is mature if it has the label %s',
    (label) => {
      expect(profile(page({ ...CHANNEL, content_classification_labels: [label] }))).toMatchObject({ is_mature: true });
    },
  );

  it('is not mature for politics', () => {
    const labels = ['DebatedSocialIssuesAndPolitics'];
    expect(profile(page({ ...CHANNEL, content_classification_labels: labels }))).toMatchObject({ is_mature: false });
  });

  it('without labels omits maturity', () => {
    const { content_classification_labels: _, ...old } = CHANNEL;
    expect(profile(page(old))).not.toHaveProperty('is_mature');
  });

  it.each(['other', ''])('has no language for "%s"', (language) => {
    expect(profile(page({ ...CHANNEL, broadcaster_language: language }))).toMatchObject({ language: null });
  });
});

describe('a number of Twitch followers', () => {
  const FOLLOWERS = { total: 412, data: [], pagination: {} };
  const url = 'https://api.twitch.tv/helix/channels/followers?broadcaster_id=9001';

  it('belongs to the channel in its request', () => {
    expect(of('profile', FOLLOWERS, { url, ...FETCHED })).toEqual([
      expect.objectContaining({ id: '9001', known: { statistics: { followers: 412 } } }),
    ]);
  });

  it('without its request is rejected', () => {
    expect(rejected(FOLLOWERS)).toEqual([
      ': a followers response does not identify its channel: wrap it with the url of its request',
    ]);
  });

  it('does not belong to a follower', () => {
    const follower = { user_id: '5', user_login: 'fan', user_name: 'Fan', followed_at: '2022-05-24T22:22:08Z' };
    const document = { total: 8, data: [follower], pagination: { cursor: 'c' } };
    expect(of('profile', document, { url })).toEqual([
      expect.objectContaining({ id: '9001', known: { statistics: { followers: 8 } } }),
    ]);
  });

  it('must be a number', () => {
    expect(rejected({ ...FOLLOWERS, total: {} }, { url })).toEqual([
      'total: must be an integer below 2^53, as a number or as text',
    ]);
  });
});
