import { describe, expect, it } from '@jest/globals';
import { contextOf, reading } from '../../../test/support/sources/mapping.js';
import { twitch } from './twitch.js';

const { rejected, skipped } = reading(twitch);

const USER = { id: '9001', login: 'mockcaster', display_name: 'MockCaster', broadcaster_type: '' };
const CHANNEL = { broadcaster_id: '9001', broadcaster_login: 'mockcaster', broadcaster_language: 'de' };
const STREAM = { id: '5550001', user_id: '9001', viewer_count: 321, started_at: '2026-11-22T09:00:00Z' };
const VIDEO = { id: '880001', stream_id: null, user_id: '9001', viewable: 'public', type: 'upload' };
const page = (...data: object[]) => ({ data, pagination: {} });

describe('other responses of Twitch', () => {
  it('are skipped if they contain nothing for records', () => {
    const clip = { id: 'Awkward', broadcaster_id: '1', creator_id: '2', video_id: '', duration: 12.9 };
    expect(skipped(page(clip))).toEqual(['clip']);
    expect(skipped(page())).toEqual(['empty page']);
    const label = { id: 'Gambling', name: 'Gambling', description: 'x' };
    const url = 'https://api.twitch.tv/helix/content_classification_labels';
    expect(skipped(page(label), { url })).toEqual(['content classification label']);
  });

  it('are rejected if they are unknown', () => {
    expect(rejected(page({ emote: 1 }), { url: 'https://api.twitch.tv/helix/chat/emotes' })).toEqual([
      'data[0]: unknown response; supported are users, channels, channels/followers, streams, videos and games',
    ]);
  });

  it('are rejected with the message of their error', () => {
    expect(rejected({ error: 'Unauthorized', status: 401, message: 'Invalid OAuth token' })).toEqual([
      ': error response from Twitch: 401 Unauthorized',
    ]);
  });

  it.each([page(USER), page(CHANNEL), page(STREAM), page(VIDEO), page(), USER, { total: 1, data: [], pagination: {} }])(
    'are recognised without their request %#',
    (document) => {
      expect(twitch.recognises(document, contextOf({}))).toBe(true);
    },
  );

  it('are recognised by their request', () => {
    expect(twitch.recognises({}, contextOf({ url: 'https://api.twitch.tv/helix/users' }))).toBe(true);
    expect(twitch.recognises({}, contextOf({ url: 'https://api.twitch.tv.example/helix/users' }))).toBe(false);
  });
});
