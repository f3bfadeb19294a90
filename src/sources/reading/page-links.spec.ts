import { describe, expect, it } from '@jest/globals';
import { findPageLinks } from './page-links.js';

describe('links to profile pages', () => {
  it.each([
    ['Watch me: https://www.twitch.tv/mockcaster!', ['https://www.twitch.tv/mockcaster']],
    ['twitch.tv/mockcaster, youtube.com/@mock', ['twitch.tv/mockcaster', 'youtube.com/@mock']],
    ['(https://x.com/mock) | https://x.com/mock', ['https://x.com/mock']],
    ['https://m.youtube.com/channel/UCx.', ['https://m.youtube.com/channel/UCx']],
    ['instagram.com/mock\ntiktok.com/@mock', ['instagram.com/mock', 'tiktok.com/@mock']],
    ['https://shop.example/twitch', []],
    ['netflix.com/mock', []],
    ['', []],
  ])('are found in %j', (text, links) => {
    expect(findPageLinks(text)).toEqual(links);
  });
});
