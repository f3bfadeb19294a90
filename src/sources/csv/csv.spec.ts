import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { contextOf, reading } from '../../../test/support/sources/mapping.js';
import { createCsvMapper } from './csv.js';
import { fillPlaceholders, parseMapping } from './mapping.js';

const MAPPINGS = 'docs/mappings';

/** Creates the mapper for a mapping. */
function mapper(mapping: string | object, values = {}) {
  const read = parseMapping(
    typeof mapping === 'string' ? readFileSync(join(MAPPINGS, mapping), 'utf8') : JSON.stringify(mapping),
  );
  if (typeof read === 'string') throw new Error(read);
  const complete = fillPlaceholders(read, values);
  if (typeof complete === 'string') throw new Error(complete);
  return createCsvMapper(complete);
}

const problemOf = (mapping: unknown) => parseMapping(typeof mapping === 'string' ? mapping : JSON.stringify(mapping));

describe('a table of accounts with abbreviated counts', () => {
  const { of, profile, rejected } = reading(mapper('instagram-accounts.json'));
  const row = (given: object = {}) => ({
    rank: '1',
    channel_info: 'mock.er',
    followers: '475.8m',
    country: '',
    ...given,
  });

  it('becomes profiles whose IDs are the handles', () => {
    expect(of('profile', row())).toEqual([
      {
        kind: 'profile',
        platform: 'photo_platform',
        id: 'mock.er',
        observedAt: null,
        known: { name: 'mock.er', url: 'https://www.instagram.com/mock.er/', statistics: { followers: 475_800_000 } },
      },
    ]);
  });

  it.each([
    ['3.3k', 3300],
    ['29.0b', 29_000_000_000],
    ['0.89k', 890],
    ['1,234', 1234],
    ['12', 12],
  ])('reads %s', (followers, read) => {
    expect(profile(row({ followers }))?.statistics).toEqual({ followers: read });
  });

  it.each(['1.39%', 'many', '-1', '99999999b'])('rejects %s with the name of the column', (followers) => {
    expect(rejected(row({ followers }))).toEqual(['followers: must be a count such as 1234, 1,234 or 1.2k']);
  });

  it('omits empty cells', () => {
    expect(profile(row({ followers: '' }))?.statistics).toEqual({});
  });

  it('rejects a row without an ID', () => {
    expect(rejected(row({ channel_info: '' }))).toEqual(['channel_info: is missing']);
  });
});

describe('a table of posts without a date or an account', () => {
  const { of, rejected } = reading(mapper('instagram-posts.json', { author: 'mocker' }));
  const row = (post_url: string) => ({ '': '0', post_url, post_caption: 'Mock', like_num: '7', comment_num: '3' });

  it('takes the date from the shortcode in the URL, and the account from the mapping', () => {
    expect(of('content', row('https://www.instagram.com/p/B6mockmock1/'))).toMatchObject([
      {
        id: 'B6mockmock1',
        author: { id: 'mocker' },
        known: {
          type: 'post',
          description: 'Mock',
          created_at: '2019-12-28T05:01:40.774Z',
          statistics: { likes: { sum: 7 }, comments: { sum: 3, avg: null } },
        },
      },
    ]);
  });

  it('rejects a URL without a shortcode', () => {
    expect(rejected(row('https://www.instagram.com/p/x/'))[0]).toBe(
      'post_url: must be the shortcode in the URL of a post',
    );
  });
});

describe('a table of posts that repeats the account on each row', () => {
  const { of, content, profile, rejected } = reading(mapper('x-posts-with-accounts.json'));
  const row = (given: object = {}) => ({
    id: '1860000000000000001',
    handle: 'mocker',
    description: 'Salt &amp; pepper',
    date_posted: '"2024-12-15T22:51:08.000Z"',
    url: 'https://x.com/mocker/status/1860000000000000001',
    replies: '2',
    likes: '33',
    views: '8369',
    followers: '5771',
    biography: 'Never &lt;asleep&gt;',
    profile_image_link: 'https://i.example/a.jpg',
    ...given,
  });

  it('becomes an item and its author, both observed when it was posted', () => {
    const observedAt = new Date('2024-12-15T22:51:08.000Z');
    expect(of('content', row())).toMatchObject([{ observedAt, author: { id: 'mocker' }, id: '1860000000000000001' }]);
    expect(of('profile', row())).toMatchObject([{ observedAt, id: 'mocker' }]);
  });

  it('reads quoted dates, and unescapes texts', () => {
    expect(content(row())).toMatchObject({ created_at: '2024-12-15T22:51:08.000Z', description: 'Salt & pepper' });
    expect(profile(row())?.description).toBe('Never <asleep>');
  });

  it('omits cells with a text that means unknown', () => {
    expect(content(row({ views: 'null' }))?.statistics).toEqual({
      likes: { sum: 33 },
      comments: { sum: 2, avg: null },
    });
    expect(profile(row({ biography: 'null' }))).not.toHaveProperty('description');
  });

  it('rejects the whole row for one invalid cell', () => {
    expect(of('profile', row({ views: 'lots' }))).toEqual([]);
    expect(rejected(row({ views: 'lots' }))).toEqual(['views: must be an integer below 2^53, as a number or as text']);
  });
});

describe('a table of channels without IDs', () => {
  const { of } = reading(mapper('twitch-channels.json'));
  const row = (given: object) => ({
    Channel: 'Mock (mock_er)',
    Followers: '3246298',
    Partnered: 'True',
    Mature: 'False',
    Language: 'English',
    ...given,
  });

  it('becomes profiles whose IDs are the logins, with replaced words', () => {
    expect(of('profile', row({}))).toMatchObject([
      {
        id: 'mock_er',
        known: {
          name: 'mock_er',
          display_name: 'Mock',
          language: 'en',
          account_type: 'partner',
          is_mature: false,
          statistics: { followers: 3_246_298 },
        },
      },
    ]);
  });

  it('may have only a name, and omits a text that means unknown', () => {
    const [profile] = of('profile', row({ Channel: 'mocker', Partnered: 'False' }));
    expect(profile).toMatchObject({ id: 'mocker', known: { display_name: 'mocker' } });
    expect(profile?.known).not.toHaveProperty('account_type');
  });
});

describe('a mapping', () => {
  const minimal = { platform: 'short_platform', content: { id: 'id' } };

  it.each(readdirSync(MAPPINGS))('in docs/mappings is valid: %s', (file) => {
    expect(parseMapping(readFileSync(join(MAPPINGS, file), 'utf8'))).toBeInstanceOf(Object);
  });

  it.each([
    ['the mapping is not JSON', '{'],
    ['platform', { content: { id: 'id' } }],
    ['content.id', { platform: 'short_platform', content: {} }],
    ['the mapping: must have profile or content', { platform: 'short_platform' }],
    ['content.id: must have either column or value', { ...minimal, content: { id: {} } }],
    ['content.id: must have either column or value', { ...minimal, content: { id: { column: 'a', value: 'b' } } }],
    ['content.views.read', { ...minimal, content: { id: 'id', views: { column: 'a', read: 'instant' } } }],
    ['content.id.pattern: must be a regular', { ...minimal, content: { id: { column: 'a', pattern: '(' } } }],
    ['content.id.pattern: must be a regular', { ...minimal, content: { id: { column: 'a', pattern: 'no group' } } }],
    [
      'content.url.template: must contain {}',
      { ...minimal, content: { id: 'id', url: { column: 'a', template: 'x' } } },
    ],
    ['content: Unrecognized key: "vews"', { ...minimal, content: { id: 'id', vews: 'a' } }],
  ])('that is invalid is rejected with the path: %s', (start, mapping) => {
    const problem = problemOf(mapping);
    expect(typeof problem === 'string' && problem.startsWith(start) ? start : problem).toBe(start);
  });

  it.each(['ACCOUNT', '<ACCOUNT>', '<your account>'])(
    'with the placeholder %s is rejected until it is filled',
    (value) => {
      const withPlaceholder = { ...minimal, content: { id: 'id', author: { value } } };
      expect(() => mapper(withPlaceholder)).toThrow(
        'author is a placeholder: add --set author=VALUE, or edit the mapping',
      );
      const [item] = reading(mapper(withPlaceholder, { author: 'mocker' })).of('content', { id: '1' });
      expect(item).toMatchObject({ author: { id: 'mocker' } });
    },
  );

  it('rejects a value for a member that is no placeholder', () => {
    expect(() => mapper(minimal, { author: 'mocker' })).toThrow(
      'author is not a placeholder of this mapping, which accepts no --set: it has no placeholder',
    );
  });

  it('keeps a text without a replacement, even one that names a member of every object', () => {
    const url = { column: 'id', words: { zed: 'z' }, template: 'https://x.example/{}/' };
    const { of } = reading(mapper({ platform: 'photo_platform', profile: { id: 'id', name: 'id', url } }));
    const urls = ['zed', 'constructor', '__proto__'].map((id) => of('profile', { id })[0]?.known);
    expect(urls).toMatchObject(
      ['z', 'constructor', '__proto__'].map((text) => ({ url: `https://x.example/${text}/` })),
    );
  });

  it('must map to a content type', () => {
    const { rejected, of } = reading(
      mapper({ ...minimal, content: { id: 'id', type: { column: 'kind', words: { clip: 'short' } } } }),
    );
    expect(of('content', { id: '1', kind: 'clip' })).toMatchObject([{ known: { type: 'short' } }]);
    expect(rejected({ id: '1', kind: 'reel' })).toEqual([
      'kind: must be one of stream, video, short, long, post: map it with "words"',
    ]);
  });

  it.each([
    [[], 'id', '; the members are platform, unknown, observed_at, profile, content'],
    [['content'], 'vews', '; the members are id, author, author_handle, type, title,'],
    [['content', 'views'], 'reading', '; the members are column, value, read, pattern, words, template'],
  ])('with an unknown member at %j lists the known ones', (path, name, list) => {
    const content = { id: 'id', views: { column: 'a' } };
    const mapping = { ...minimal, content };
    const [target] = path.length === 0 ? [mapping] : path.length === 1 ? [content] : [content.views];
    expect(problemOf((Object.assign(target, { [name]: 'a' }), mapping))).toContain(list);
  });

  it('names the reading that fits a value which its own cannot read', () => {
    const { rejected } = reading(mapper({ ...minimal, content: { id: 'id', views: 'seen' } }));
    expect(rejected({ id: '1', seen: '1.2k' })).toEqual([
      'seen: must be an integer below 2^53, as a number or as text: read it as rounded-count in the mapping',
    ]);
  });

  it('with columns that the table lacks stops at the first row', () => {
    const other = mapper(minimal);
    expect(() => reading(other).rejected({ ID: '1' })).toThrow(
      'the mapping needs the column id, but the table has ID: correct the mapping',
    );
    expect(() => reading(other).rejected({ 'id;fans': '1;2' })).toThrow('separate the columns by commas or tabs');
    expect(other.recognises({ ID: '1' }, contextOf({}))).toBe(false);
    expect(other.recognises({ id: '1' }, contextOf({}))).toBe(true);
  });

  it('may identify an author by handle, and parse a duration in letters', () => {
    const { of } = reading(
      mapper({ ...minimal, content: { id: 'id', author_handle: 'by', duration: { column: 'long', read: 'letters' } } }),
    );
    expect(of('content', { id: '1', by: 'mocker', long: '1h2m3s' })).toMatchObject([
      { author: { handle: 'mocker' }, known: { duration: 3_723_000 } },
    ]);
  });
});
