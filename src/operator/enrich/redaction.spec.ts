import { describe, expect, it } from '@jest/globals';
import { redactionOf } from './redaction.js';

describe('redactionOf', () => {
  const key = 'sk-0123456789abcdef';
  const { content } = redactionOf(key);

  it.each([
    [`{"a":"see ${key}"}`, '{"a":"see …"}'],
    [`{"${key}":1}`, '{"…":1}'],
    [`[{"x":{"a ${key}":[null]}}]`, '[{"x":{"a …":[null]}}]'],
    ['{"sk-0123456789\\u0061bcdef":1}', '{"…":1}'],
    [`{"a":"${key}","a":"b"}`, '{"a":"b"}'],
    [`no JSON ${key}`, 'no JSON …'],
    [`${'['.repeat(9000)}"${key}"${']'.repeat(9000)}`, `${'['.repeat(9000)}"…"${']'.repeat(9000)}`],
    ['{ "a": "b" }', '{ "a": "b" }'],
  ])('turns %s into %s', (text, expected) => {
    expect(content(text)).toBe(expected);
  });
});
