import { describe, expect, it } from '@jest/globals';
import { foldText } from './creator-input.js';
import { addressesIn, occursAsAddress, occursIn } from './occurs.js';

describe('occursIn', () => {
  it.each([
    ['i play chess with anna', 'Chess', true],
    ['i play chess with anna', 'ann', false],
    ['i play chess with anna', 'nna', false],
    ['annabel and anna', 'anna', true],
    ['私はアンナです', 'アンナ', true],
    ['我是anna来自', 'Anna', true],
    ['生于1998年5月', '1998', true],
    ['chess', ' ', false],
    ['אהרון משחק כאן', 'רון', false],
    ['אני גר בברלין', 'ברלין', true],
    ['سلمان هنا', 'سلم', false],
    ['سلمان هنا', 'لما', false],
    ['أعيش في القاهرة', 'قاهرة', true],
  ])('finds in %j the words %j: %s', (text, wanted, expected) => {
    expect(occursIn(text, wanted)).toBe(expected);
  });

  it.each(['a', 'é', 'я', 'ω'])('searches a long word of %j in linear time', (letter) => {
    // Half a second. Trying each letter takes 40 times as long.
    const text = letter.repeat(100_000);
    const begun = performance.now();
    for (let count = 0; count < 100; count += 1) expect(occursIn(text, letter.repeat(10 + count))).toBe(false);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});

describe('occursAsAddress', () => {
  it.each([
    ['see https://www.twitch.tv/anna', 'twitch.tv/Anna/', true],
    ['see https://www.twitch.tv/anna.', 'twitch.tv/anna', true],
    ['see https://www.twitch.tv/anna', 'https://twitch.tv/ann', false],
    ['see https://x.com/maria-real', 'https://x.com/maria', false],
    ['see https://x.com/maria?lang=en', 'https://x.com/maria', true],
    ['see not-evil.com/x', 'evil.com/x', false],
    ['- evil.com/x -', 'evil.com/x', true],
    ['-@anna', '@anna', true],
    ['請看twitch.tv/anna謝謝', 'twitch.tv/anna', true],
    ['mail jim.bob@example.co.uk', 'bob@example.co', false],
    ['mail jim.bob@example.co.uk', 'bob@example.co.uk', false],
    ['mail bob@example.co.', 'bob@example.co', true],
    ['mail bob@example.co', 'example.co', false],
    ['follow @anna', 'anna', true],
    ['follow anna', '@anna', true],
    ['follow @maria.lopez', 'lopez', false],
    ['follow @maria.lopez', 'maria', false],
    ['follow @maria_lopez', 'maria', false],
  ])('finds in %j the address %j: %s', (text, address, expected) => {
    expect(occursAsAddress(text, address)).toBe(expected);
  });
});

describe('addressesIn', () => {
  it.each([
    ['Write to a.b@example.org, or see https://example.org/x and www.example.org.', 3],
    ['Find @someone on twitch.tv/someone', 2],
    ['Plays 24/7, and/or paints. Rated 9.5/10', 0],
    ['E.g. Node.js and ASP 3.5 in the U.S., i.e. a B.Sc. on D.Va at 10:30 p.m.', 0],
    ['wait...what? Games.Then tea. 1.2.3.4', 0],
  ])('finds in %j %d addresses', (text, count) => {
    expect(addressesIn(text)).toHaveLength(count);
  });

  it.each([
    ['Site:evil.com', 'evil.com'],
    ['“evil.com”', 'evil.com'],
    ['`evil.com`', 'evil.com'],
    ['**evil.com**', 'evil.com'],
    ['evil.com|x', 'evil.com'],
    ['(at)evil.com—x', 'evil.com'],
    ['EVIL.TV', 'evil.tv'],
    ['evil.com:8080/x', 'evil.com:8080/x'],
    ['evil.com?x=1', 'evil.com?x=1'],
    ['evil.com#x', 'evil.com#x'],
    ['evil.tech', 'evil.tech'],
    ['Evil.Shop', 'evil.shop'],
    ['@mara-fakeshop', '@mara-fakeshop'],
    ['evil.blog.', 'evil.blog'],
    ['münchen.de/x', 'münchen.de/x'],
    ['bob@münchen.de', 'bob@münchen.de'],
    ['mailto:bob@evil.com', 'bob@evil.com'],
    ['bob＠evil.com', 'bob@evil.com'],
    ['evil․com', 'evil.com'],
    ['http:evil.com', 'evil.com'],
    ['HTTPS://evil.com', 'https://evil.com'],
    ['ftp://evil.com', 'ftp://evil.com'],
    ['192.168.0.1/x', '192.168.0.1/x'],
    ['Twitter:@nobody77', '@nobody77'],
    ['twitter/@nobody77', '@nobody77'],
    ['x@nobody77', 'x@nobody77'],
    ['@ñobody77', '@ñobody77'],
  ])('finds in %j the address %j', (text, address) => {
    expect(addressesIn(`See ${text} now`)).toEqual([address]);
  });

  it('finds addresses that occur in the text in which they are', () => {
    const text = 'Site:Evil.com/A and “bob＠evil.com”, @Nobody.';
    const folded = foldText(text);
    expect(addressesIn(text).map((address) => occursAsAddress(folded, address))).toEqual([true, true, true]);
  });
});
