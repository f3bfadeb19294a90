import { describe, expect, it } from '@jest/globals';
import { categoryId, categoryName } from './category-names.js';

describe('the names of video categories', () => {
  it('are found by ID, and IDs by name', () => {
    expect([categoryName('20'), categoryId('Gaming')]).toEqual(['Gaming', '20']);
    expect([categoryName('999'), categoryId('Mocking')]).toEqual([null, null]);
  });

  it('map to the assignable category if two have the same name', () => {
    expect(categoryId('Comedy')).toBe('23');
  });
});
