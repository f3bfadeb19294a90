import { expect, it } from '@jest/globals';
import { escapeControls } from './terminal.js';

it.each([
  ['a\tb\n\u001b[1m\u009b', String.raw`a\tb\n\u001b[1m\u009b`],
  ['\u061c\u200e\u200f\u202a\u202e\u2066\u2069', String.raw`\u061c\u200e\u200f\u202a\u202e\u2066\u2069`],
  ['a\u200bb\u2060\ufeff\u00ad', String.raw`a\u200bb\u2060\ufeff\u00ad`],
  ['\u2028\u2029\u034f\u3164', String.raw`\u2028\u2029\u034f\u3164`],
  ['\u{e0041}', String.raw`\udb40\udc41`],
  ['a\u200db e\u0301\u200dx 1\u200c2 \u200d', String.raw`a\u200db ${'e\u0301'}\u200dx 1\u200c2 \u200d`],
])('escapeControls escapes %j', (text, expected) => expect(escapeControls(text)).toBe(expected));

it.each(['Müller & Söhne', '中文\u3000名', 'می\u200cخواهم', 'क्\u200dष', '👩🏽\u200d🚀', '❤️\u200d🔥', 'e\u0301'])(
  'escapeControls keeps %j',
  (text) => expect(escapeControls(text)).toBe(text),
);
