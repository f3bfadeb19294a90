import { describe, expect, it } from '@jest/globals';
import { statesCountry } from './stated-country.js';

describe('statesCountry', () => {
  it.each([
    ['I live in Portugal', 'PT'],
    ['Ich wohne in Österreich', 'AT'],
    ['живу в Португалия', 'PT'],
    ['アメリカ在住', 'US'],
    ['from the U.S.', 'US'],
    ['from the U.S.A. now', 'US'],
    ['I am from the US and stream', 'US'],
    ['vivo en EEUU', 'US'],
    ['based in the UK', 'GB'],
    ['from usa', 'US'],
    ['UAE', 'AE'],
    ['from England', 'GB'],
    ['🇵🇹 streamer', 'PT'],
    ['Lisbon, PT', 'PT'],
    ['Wellington NZ', 'NZ'],
    ['mieszkam w Polsce', 'PL'],
    ['mieszkam w Niemczech', 'DE'],
    ['mieszkam w Wielkiej Brytanii', 'GB'],
    ['Живу в Германии', 'DE'],
    ['Стримлю из Казахстана', 'KZ'],
    ['живу в Україні', 'UA'],
    ['bydlím v Česku', 'CZ'],
    ['asun Suomessa', 'FI'],
    ['Magyarországon élek', 'HU'],
    ['live u Hrvatskoj', 'HR'],
    ['gyvenu Lietuvoje', 'LT'],
    ["Almanya'da yaşıyorum", 'DE'],
    ['ζω στην Ελλάδα', 'GR'],
    ['trăiesc în România', 'RO'],
    ['한국에 살아요', 'KR'],
    ['من السعودية', 'SA'],
    ['أعيش بالمغرب', 'MA'],
    ['住在台灣', 'TW'],
    ['Hong Kong', 'HK'],
    ['from Palestine', 'PS'],
    ['Ivory Coast', 'CI'],
    ['DR Congo', 'CD'],
    ['Trinidad', 'TT'],
    ['Trinidad and Tobago', 'TT'],
    ['Bosnia', 'BA'],
  ])('finds in %j the country %s', (quote, code) => {
    expect(statesCountry(quote, code)).toBe(true);
  });

  it.each([
    ['join us in the chat', 'US'],
    ['JOIN US NOW', 'US'],
    ['LIVE IN A VAN', 'IN'],
    ['LETS DO IT', 'IT'],
    ['Jugando con amigos DE la casa', 'DE'],
    ['I live in a house', 'IN'],
    ['indie games', 'IN'],
    ['инди игры', 'IN'],
    ['chill streams', 'CL'],
    ['I live in Nigeria', 'NE'],
    ['Canadian', 'CA'],
    ['インドネシア在住', 'IN'],
    ['玩马里奥', 'ML'],
    ['a sad song', 'US'],
    ['Top 10 games', 'IR'],
    ['I live here', 'QX'],
    ['the whole EU', 'EU'],
    ['I live in Spain', 'Spain'],
    ['I live in Spain', 'es'],
  ])('does not find in %j the country %s', (quote, code) => {
    expect(statesCountry(quote, code)).toBe(false);
  });
});
