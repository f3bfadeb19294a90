import { expect, it } from '@jest/globals';
import { explainError } from './explain-error.js';

it.each([
  ['a.ndjson', 'change its permissions, or run as another user'],
  ['a.ndjson.rejected.ndjson', 'name another file with --rejects'],
])('a file %s without permission: %s', (path, advice) => {
  const error = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', path });
  expect(explainError(error, null)).toEqual({
    code: 'invalid_file',
    message: `${path} cannot be read or written by this user: ${advice}`,
  });
});
