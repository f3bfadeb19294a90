import { describe, expect, it } from '@jest/globals';
import { parseWatchList } from './watch-list.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const parse = (text: string, isCsv = false) => parseWatchList(text, isCsv, DAY_MS);
const CHANNEL = 'UCabcdefghijklmnopqrstuv';

describe('parseWatchList', () => {
  it('reads NDJSON with IDs and handles', () => {
    const lines = [
      '{"platform_id":"live_platform","id":"141981764","every":"6h"}',
      '',
      '{"platform_id":"video_platform","handle":"@NASA","every":"2d","keep":"none"}',
      '{"platform_id":"microblog_platform","handle":"bsky.app"}',
    ];
    expect(parse(lines.join('\n'))).toEqual([
      { source: 'twitch', target: '141981764', everyMs: 6 * HOUR_MS, keepMs: null },
      { source: 'youtube', target: '@nasa', everyMs: 2 * DAY_MS, keepMs: null },
      { source: 'bluesky', target: '@bsky.app', everyMs: DAY_MS, keepMs: null },
    ]);
  });

  it('reads CSV, in which an empty cell is an absent member', () => {
    const text = `\u{feff}platform_id,id,handle,every\r\nlive_platform,1,,30m\r\nvideo_platform,${CHANNEL},,\r\n`;
    expect(parse(text, true)).toEqual([
      { source: 'twitch', target: '1', everyMs: HOUR_MS / 2, keepMs: null },
      { source: 'youtube', target: CHANNEL, everyMs: DAY_MS, keepMs: 30 * DAY_MS },
    ]);
  });

  it('takes the shortest interval of several lines about a creator', () => {
    const line = (every: string) => `{"platform_id":"live_platform","id":"1","every":"${every}"}`;
    for (const order of [
      ['1d', '6h'],
      ['6h', '1d'],
    ])
      expect(parse(order.map(line).join('\n'))).toEqual([expect.objectContaining({ everyMs: 6 * HOUR_MS })]);
  });

  it('takes the shortest retention, too, and skips a byte order mark', () => {
    const line = (every: string, keep: string) =>
      `{"platform_id":"video_platform","id":"${CHANNEL}","every":"${every}","keep":"${keep}"}`;
    const expected = [{ source: 'youtube', target: CHANNEL, everyMs: DAY_MS, keepMs: 5 * DAY_MS }];
    expect(parse(`\u{feff}${line('1d', 'none')}\n${line('2d', '5d')}`)).toEqual(expected);
    expect(parse(`${line('2d', '5d')}\n${line('1d', 'none')}`)).toEqual(expected);
  });

  it.each([
    [
      'a table in a file that is not named .csv',
      'id\n',
      'line 1: not JSON; the name of a list in CSV must end in .csv',
    ],
    ['an array', '\n[]', 'line 2: must be an object'],
    ['an unknown member', '{"platform_id":"live_platform","id":"1","ever":"1d"}', 'unknown member ever'],
    ['a platform without an official API', '{"platform_id":"short_platform","id":"1"}', 'platform_id must be one of'],
    ['neither ID nor handle', '{"platform_id":"live_platform"}', 'id or handle is missing'],
    ['a number as ID', '{"platform_id":"live_platform","id":1}', 'id must be a string'],
    ['a login as ID', '{"platform_id":"live_platform","id":"anna"}', 'id must be a number'],
    ['a short channel ID', '{"platform_id":"video_platform","id":"UC1"}', 'id must be the ID of a channel'],
    ['a number of X', '{"platform_id":"microblog_platform","id":"12"}', 'id must be a DID'],
    ['a handle with a space', '{"platform_id":"live_platform","handle":"a b"}', 'handle must be the login'],
    ['an interval of 9 minutes', '{"platform_id":"live_platform","id":"1","every":"9m"}', 'every must be a duration'],
    ['an interval of 366 days', '{"platform_id":"live_platform","id":"1","every":"366d"}', 'every must be a duration'],
    [
      'an interval beyond the retention',
      `{"platform_id":"video_platform","id":"${CHANNEL}","every":"31d"}`,
      'every must not be longer than keep',
    ],
  ])('rejects %s, and names the line', (_name, text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it('rejects a CSV row with too few cells', () => {
    expect(() => parse('platform_id,id\nlive_platform\n', true)).toThrow(/^line 2: /);
  });
});
