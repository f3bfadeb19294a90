import { describe, expect, it } from '@jest/globals';
import { findCategoryId, findCategoryName } from './category-names.js';

describe('the names of video categories', () => {
  it('are found by ID, and IDs by name', () => {
    expect([findCategoryName('20'), findCategoryId('Gaming')]).toEqual(['Gaming', '20']);
    expect([findCategoryName('999'), findCategoryId('Mocking')]).toEqual([null, null]);
  });

  it('map to the assignable category if two have the same name', () => {
    expect(findCategoryId('Comedy')).toBe('23');
  });
});
