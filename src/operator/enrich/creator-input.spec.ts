import { describe, expect, it } from '@jest/globals';
import { contentSchema } from '../../features/content/content.js';
import { profileSchema } from '../../features/profiles/profile.js';
import { createInput, inputFromText } from './creator-input.js';

const profile = profileSchema.parse({ platform_id: 'live_platform', id: '1', description: 'Plays  CHESS' });
const items = Array.from({ length: 40 }, (_, index) =>
  contentSchema.parse({
    content_id: `v${index}`,
    platform: 'live_platform',
    type: 'video',
    title: `Game ${index} <b>`,
    description: 'x '.repeat(1000),
  }),
);

describe('createInput', () => {
  it('has the newest 30 items at most', () => {
    expect(createInput({ profile, content: items, links: [] }, 1_000_000)?.items).toBe(30);
  });

  it('ends with the last item that fits, and is never longer than the limit', () => {
    for (const limit of [1000, 2000, 5000]) {
      const input = createInput({ profile, content: items, links: [] }, limit);
      expect(Buffer.byteLength(input?.text ?? '')).toBeLessThanOrEqual(limit);
      const { content } = JSON.parse(input?.text ?? '') as { content: { title: string }[] };
      expect(content.map(({ title }) => title)).toEqual(items.slice(0, input?.items).map(({ title }) => title));
    }
  });

  it('holds a short profile text within the smallest limit, whatever its script', () => {
    const long = { ...profile, description: '漢'.repeat(10_000), display_name: '漢'.repeat(10_000) };
    expect(Buffer.byteLength(createInput({ profile: long, content: [], links: [] }, 24_000)?.text ?? '')).toBeLessThan(
      24_000,
    );
  });

  it.each([1000, 24_000])('holds the limit of %d bytes with texts and links of six bytes a character', (limit) => {
    const text = '<'.repeat(10_000);
    const long = { ...profile, name: text, display_name: text, url: text, description: text };
    const links = Array.from(
      { length: 40 },
      () => ({ id: '1', name: text, platform_id: 'live_platform', followers: 1 }) as const,
    );
    const input = createInput({ profile: long, content: items, links }, limit);
    expect(Buffer.byteLength(input?.text ?? '')).toBeLessThanOrEqual(limit);
  });

  it('contains no `<`, and the same texts after it was read again', () => {
    const input = createInput({ profile, content: items, links: [] }, 5000);
    expect(input?.text).not.toContain('<');
    expect(inputFromText(input?.text ?? '')).toEqual(input);
  });

  it('is null if the records say nothing', () => {
    const silent = { ...profile, description: ' ' };
    expect(createInput({ profile: silent, content: [], links: [] }, 5000)).toBeNull();
    expect(createInput({ profile: silent, content: items.slice(0, 1), links: [] }, 5000)).not.toBeNull();
  });
});
