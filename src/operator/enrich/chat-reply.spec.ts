import { describe, expect, it } from '@jest/globals';
import { readCompletion } from './chat-reply.js';

const usageOf = (content: string, prompt_tokens: number, completion_tokens: number) =>
  readCompletion({
    choices: [{ finish_reason: 'stop', message: { content } }],
    usage: { prompt_tokens, completion_tokens },
  }).usage;

describe('readCompletion', () => {
  it('reads the tokens that an endpoint counted', () => {
    expect(usageOf('text', 7, 3)).toEqual({ input: 7, output: 3 });
    expect(usageOf('', 7, 0)).toEqual({ input: 7, output: 0 });
  });

  it.each([
    ['text', 0, 0],
    ['text', 0, 3],
    ['text', 7, 0],
  ])('takes the usage of %j as unknown with %i input tokens and %i output tokens', (...given) => {
    expect(usageOf(...given)).toBeNull();
  });
});
