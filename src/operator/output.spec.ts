import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Output } from './output.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the output of a command with --json', () => {
  it('is JSON of the same value, without characters that a terminal executes or that change the direction of text', () => {
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    const value = { name: '\u009b31m\u202eX\u2028\u0007 Zoë 名前' };
    new Output(true).printResult(value, '');
    const [[text]] = write.mock.calls as [[string]];
    expect(text).toBe('{"name":"\\u009b31m\\u202eX\\u2028\\u0007 Zoë 名前"}\n');
    expect(JSON.parse(text)).toEqual(value);
  });
});
