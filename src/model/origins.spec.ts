import { describe, expect, it } from '@jest/globals';
import { parseOrigins } from './origins.js';

describe('parseOrigins', () => {
  it.each([
    ['https://app.example.com', ['https://app.example.com']],
    [' https://a.example , http://localhost:5173 ', ['https://a.example', 'http://localhost:5173']],
    ['HTTPS://A.Example/', ['https://a.example']],
    ['https://a.example:443,https://a.example', ['https://a.example']],
    ['http://[::1]:8080', ['http://[::1]:8080']],
    [' * ', '*'],
  ])('reads %j as browsers send it', (text, origins) => {
    expect(parseOrigins(text)).toEqual(origins);
  });

  it.each([
    'app.example.com',
    'see https://a.example',
    'https://',
    'https://a.example/path',
    'https://a.example?x',
    'https://a.example#x',
    'https://user@a.example',
    'https://*.example.com',
    'https://a.example:99999',
    'https://a b.example',
    'ftp://a.example',
    'null',
    'https://a.example,',
    'https://a.example,*',
  ])('returns nothing for %j', (text) => {
    expect(parseOrigins(text)).toEqual([]);
  });
});
