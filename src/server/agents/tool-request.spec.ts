import { describe, expect, it } from '@jest/globals';
import type { DescribedOperation } from './api-description.js';
import { computeMaxCredits, createToolRequest } from './tool-request.js';

const parameter = (name: string, location: string, required: boolean, schema = {}) => ({
  name,
  in: location,
  required,
  schema,
});

const GET: DescribedOperation = {
  operation: 'games.search',
  method: 'GET',
  path: '/a/{platform}/b/{id}',
  summary: 'A list',
  description: '',
  tag: 'A',
  parameters: [
    parameter('id', 'path', true),
    parameter('platform', 'path', true),
    parameter('query', 'query', false),
    parameter('limit', 'query', false, { minimum: 1, maximum: 100, default: 20 }),
  ],
  body: null,
  answer: { required: [], properties: {} },
};

const POST: DescribedOperation = {
  ...GET,
  operation: 'profiles.lookup',
  method: 'POST',
  path: '/a',
  parameters: [],
  body: { properties: { handles: { maxItems: 100 } }, required: ['handles'] },
};

describe('toolRequest', () => {
  it('puts each argument where it belongs, encoded', () => {
    expect(createToolRequest(GET, { id: 'a/b?ö', platform: 'p', query: 'x&y=z', limit: 5 })).toEqual({
      method: 'GET',
      path: '/a/p/b/a%2Fb%3F%C3%B6?query=x%26y%3Dz&limit=5',
      body: null,
    });
    expect(createToolRequest(POST, { handles: ['@a'] })).toEqual({
      method: 'POST',
      path: '/a',
      body: '{"handles":["@a"]}',
    });
  });

  it('leaves out what is null or undefined', () => {
    expect(createToolRequest(GET, { id: 'i', platform: 'p', query: null, limit: undefined }).path).toBe('/a/p/b/i');
  });

  it('takes numbers and truth values as text', () => {
    expect(createToolRequest(GET, { id: 1, platform: true }).path).toBe('/a/true/b/1');
  });

  it.each([
    [GET, { id: 'i' }, 'Missing argument: platform', 'missing_parameter'],
    [GET, { id: null, platform: 'p' }, 'Missing argument: id', 'missing_parameter'],
    [POST, {}, 'Missing argument: handles', 'missing_parameter'],
    [GET, { id: '', platform: 'p' }, 'id must not be empty', 'invalid_parameter'],
    [GET, { id: {}, platform: 'p' }, 'id must be a text or a number', 'invalid_parameter'],
    [GET, { id: 'i', platform: 'p', query: ['x'] }, 'query must be a text or a number', 'invalid_parameter'],
    [GET, { id: '\ud800', platform: 'p' }, 'id must be well-formed text', 'invalid_parameter'],
    [
      GET,
      { id: 'i', platform: 'p', x: 1 },
      'Unknown argument: x. The arguments of this tool: id, platform, query, limit',
      'unknown_parameter',
    ],
    [
      { ...GET, parameters: [] },
      { x: 1 },
      'Unknown argument: x. The arguments of this tool: none',
      'unknown_parameter',
    ],
  ])('refuses %#: %j', (operation, given, message, code) => {
    expect(() => createToolRequest(operation, given)).toThrow(
      expect.objectContaining({ message, code, parameter: expect.stringMatching(/^(platform|id|handles|query|x)$/) }),
    );
  });
});

describe('computeMaxCredits', () => {
  it.each([
    ['the limit', { limit: 3 }, 6],
    ['the default without a limit', {}, 40],
    ['the default for null', { limit: null }, 40],
    ['the largest limit', { limit: 100 }, 200],
    ['the largest limit for one above it', { limit: 101 }, 200],
    ['the largest limit for one below the smallest', { limit: 0 }, 200],
    ['the largest limit for what is no whole number', { limit: 1.5 }, 200],
    ['the limit as a text', { limit: '12' }, 24],
    ['the largest limit for a list', { limit: [3] }, 200],
    ['the largest limit for a text without a number', { limit: '' }, 200],
  ])('goes by %s', (_what, given, most) => {
    expect(computeMaxCredits(GET, given)).toBe(most);
  });

  it('is one item where there is nothing to count', () => {
    expect(computeMaxCredits({ ...GET, operation: 'analysis.get', parameters: [] }, {})).toBe(100);
  });

  it.each([
    [{ kind: 'profiles' }, 0],
    [{ kind: 'analysis', limit: 3 }, 300],
    [{ kind: 'socials' }, 200],
    [{ kind: 'unknown' }, 2000],
    [{}, 2000],
  ])('goes by the kind of changes: %j', (given, most) => {
    expect(computeMaxCredits({ ...GET, operation: 'changes.list' }, given)).toBe(most);
  });

  it('goes by the items of a batch, at most those it may have', () => {
    const batch: DescribedOperation = { ...POST, operation: 'games.search' };
    const sized = (length: number) => ({ handles: Array.from({ length }, () => 'a') });
    expect([0, 1, 3, 100, 500].map((length) => computeMaxCredits(batch, sized(length)))).toEqual([2, 2, 6, 200, 200]);
    expect(computeMaxCredits(batch, { handles: 'a' })).toBe(2);
  });

  it('counts the longest list that a body may hold', () => {
    const body = { properties: { handles: { maxItems: 100 }, platform: {} }, required: ['handles'] };
    const batch: DescribedOperation = { ...POST, operation: 'games.search', body };
    expect(computeMaxCredits(batch, { handles: ['a', 'b', 'c'], platform: 'p' })).toBe(6);
  });
});
