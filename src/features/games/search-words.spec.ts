import { describe, expect, it } from '@jest/globals';
import { fold, matches, nameChunks, nameWords, queryWords } from './search-words.mjs';

const finds = (query: string, name: string) => matches(queryWords(query), nameWords(name));

describe('fold', () => {
  it.each([
    ['case', 'ZELDA', 'zelda'],
    ['accents', 'Pokémon Ragnarök Ñandú', 'pokemon ragnarok nandu'],
    ['an accent typed as a character of its own', 'Poke\u0301mon', 'pokemon'],
    [
      'letters without a decomposition',
      'Straße Æon Œuvre Øresund Łódź Đồng Þór Ísaðr Ħal',
      'strasse aeon oeuvre oresund lodz dong thor isadr hal',
    ],
    ['the capital sharp s', 'STRAẞE', 'strasse'],
    ['both Turkish i', 'İstanbul Isparta ırmak', 'istanbul isparta irmak'],
    ['the sigma at the end of a word', 'Οδυσσεύς ΟΔΥΣΣΕΥΣ', 'οδυσσευσ οδυσσευσ'],
    ['width and presentation', 'Ｆａｔｅ Ⅶ ﾄﾞﾗｸｴ ℌ ﬁ', 'fate vii ドラクエ h fi'],
    ['selectors of shapes', '辻\u{e0100} 1\ufe0f', '辻 1'],
  ])('folds %s', (_, text, folded) => expect(fold(text)).toBe(folded));

  it('keeps marks of other scripts, which distinguish letters', () => {
    expect(fold('ドラゴン')).toBe('ドラゴン');
    expect(fold('हिन्दी')).toBe('हिन्दी');
    expect(fold('한국어')).toBe('한국어');
  });
});

describe('nameWords', () => {
  it.each([
    ['Half-Life 2', ['halflife', 'life', '2']],
    ['S.T.A.L.K.E.R.', ['stalker', 'talker', 'alker', 'lker', 'ker', 'er', 'r']],
    ["Assassin's Creed", ['assassins', 'creed']],
    ['Rock ’n’ Roll', ['rock', 'n', 'roll']],
    ['Tom & Jerry — !!!', ['tom', 'jerry']],
    ['Mario  \t Mario', ['mario']],
    ['Tetris™ Portal®', ['tetris', 'portal']],
    ['東方 Project', ['東方', '方', 'project']],
    ['ドラクエXI', ['ドラクエxi', 'ラクエxi', 'クエxi', 'エxi', 'xi']],
    ['FF14の', ['ff14の', 'の']],
    ['𠮷野家', ['𠮷野家', '野家', '家']],
    ['スーパー', ['スーパー', 'ーパー', 'パー', 'ー']],
    ['ที่', ['ที่']],
    ['🎮 \ud83c', []],
    ['', []],
  ])('splits %s', (name, words) => expect(nameWords(name)).toEqual(words));

  it('stores the text of a long name in a script without spaces once', () => {
    const [chunk] = nameChunks('の'.repeat(1000));
    expect(chunk?.text).toHaveLength(1000);
    expect(chunk?.starts).toHaveLength(1000);
  });
});

describe('queryWords', () => {
  it('treats inner punctuation both as nothing and as a gap', () => {
    expect(queryWords('Half-Life: 2')).toEqual([
      { joined: 'halflife', parts: ['half', 'life'] },
      { joined: '2', parts: ['2'] },
    ]);
  });

  it('does not treat an apostrophe as a gap', () => {
    for (const apostrophe of "'’‘ʼ`´") {
      expect(queryWords(`assassin${apostrophe}s`)).toEqual([{ joined: 'assassins', parts: ['assassins'] }]);
    }
  });

  it('keeps the same letters with and without a gap as two words', () => {
    expect(queryWords('half-life halflife').map(({ parts }) => parts)).toEqual([['half', 'life'], ['halflife']]);
  });

  it('returns every word once', () => expect(queryWords('The the THE thé')).toHaveLength(1));

  it.each(['', '  ', '&', '-- !!!', '🎮', '\ud842', '\u0301'])('returns no word for "%s"', (query) => {
    expect(queryWords(query)).toEqual([]);
  });
});

describe('matches', () => {
  it.each([
    ['half-life', 'Half-Life'],
    ['half life', 'Half-Life'],
    ['halflife', 'Half-Life'],
    ['life', 'Half-Life'],
    ['half-life', 'Half Life'],
    ['half-life', 'Halflife'],
    ['stalker', 'S.T.A.L.K.E.R.: Shadow of Chernobyl'],
    ['s.t.a.l.k.e.r.', 'S.T.A.L.K.E.R.: Shadow of Chernobyl'],
    ['s.t.a.l.k.e.r.', 'Stalker'],
    ['assassins', "Assassin's Creed"],
    ["assassin's", 'Assassin’s Creed'],
    ['assassin', "Assassin's Creed"],
    ["assassin's", 'Assassins Creed'],
    ['CREED assassin', "Assassin's Creed"],
    ['the', 'The Witcher'],
    ['t w', 'The Witcher'],
    ['pokemon', 'Pokémon'],
    ['pokémon', 'Pokemon'],
    ['クエスト', 'ドラゴンクエストXI'],
    ['xi', 'ドラゴンクエストXI'],
    ['クエスト ゴン', 'ドラゴンクエストXI'],
    ['ドラゴン・クエスト', 'ドラゴンクエストXI'],
    ['野', '𠮷野家'],
    ['halflife & !', 'Half-Life'],
  ])('"%s" finds %s', (query, name) => expect(finds(query, name)).toBe(true));

  it.each([
    ['alf', 'Half-Life'],
    ['half-lives', 'Half-Life'],
    ['half-life 3', 'Half-Life'],
    ['halflife', 'Half Life'],
    ['itcher', 'The Witcher'],
    ['the a', 'The Witcher'],
    ['ドク', 'ドラゴンクエスト'],
    ['&', 'Tom & Jerry'],
    ['', 'Anything'],
  ])('"%s" does not find %s', (query, name) => expect(finds(query, name)).toBe(false));
});
