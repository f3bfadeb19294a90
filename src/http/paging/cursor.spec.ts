import { describe, expect, it } from '@jest/globals';
import { UNKNOWN_SORT_VALUE } from '../../database/columns.js';
import { decodeCursor, encodeCursor, type CursorScope } from './cursor.js';

const LIST: CursorScope = { list: 'profiles', scope: [1], sort: 'updated_at', order: 'desc' };
const encoded = (text: string | Buffer) => Buffer.from(text).toString('base64url');

describe('a cursor', () => {
  it.each([0, 1, -1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, UNKNOWN_SORT_VALUE])(
    'gives back the sort value %d',
    (value) => {
      expect(decodeCursor(encodeCursor(LIST, { value, id: 'x' }), LIST)).toEqual({ value, id: 'x' });
    },
  );

  it.each(['0', ' ', 'a ', '"', '\\', '\u2028', 'é', '😀', 'שלום', 'x'.repeat(255), '☃'.repeat(85)])(
    'gives back the ID %j',
    (id) => {
      expect(decodeCursor(encodeCursor(LIST, { value: 1, id }), LIST)).toEqual({ value: 1, id });
    },
  );

  it('can stand in an address as it is', () => {
    const id = '?/+=&#%'.repeat(30);
    expect(encodeCursor(LIST, { value: -1, id })).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  it.each<Partial<CursorScope>>([
    { list: 'content' },
    { list: 'profile_content' },
    { scope: [2] },
    { scope: [1, 'x'] },
    { scope: ['1'] },
    { sort: 'followers' },
    { sort: '__proto__' },
    { order: 'asc' },
  ])('is refused on another list: %j', (other) => {
    const cursor = encodeCursor(LIST, { value: 1, id: 'x' });
    expect(() => decodeCursor(cursor, { ...LIST, ...other })).toThrow('Invalid cursor');
  });

  it.each([[[1]], [[2]], [[1, 'a creator']]])(
    'of earlier versions, without a scope, is valid on every list: %j',
    (scope) => {
      const earlier = encoded('["profiles","updated_at","desc",1,"x"]');
      expect(decodeCursor(earlier, { ...LIST, scope })).toEqual({ value: 1, id: 'x' });
      expect(() => decodeCursor(earlier, { ...LIST, scope, list: 'content' })).toThrow('Invalid cursor');
      expect(() => decodeCursor(earlier, { ...LIST, scope, order: 'asc' })).toThrow('Invalid cursor');
    },
  );

  it.each([
    '',
    'x',
    '%',
    encoded(''),
    encoded('null'),
    encoded('{}'),
    encoded('[]'),
    encoded('["profiles","updated_at","desc",1]'),
    encoded('["profiles","updated_at","desc",1,"x",2]'),
    encoded('["profiles","updated_at","desc",1,"x","1"]'),
    encoded('["profiles","updated_at","desc",1,"x",1,1]'),
    encoded('["profiles","updated_at","desc","1","x"]'),
    encoded('["profiles","updated_at","desc",1.5,"x"]'),
    encoded('["profiles","updated_at","desc",-9007199254740992,"x"]'),
    encoded('["profiles","updated_at","desc",-0,"x"]'),
    encoded('["profiles","updated_at","desc",1e0,"x"]'),
    encoded('["profiles","updated_at","desc",1,""]'),
    encoded('["profiles","updated_at","desc",1,null]'),
    encoded(`["profiles","updated_at","desc",1,"${'☃'.repeat(86)}"]`),
    encoded('["profiles", "updated_at","desc",1,"x"]'),
    encoded('["profiles","updated_at","desc",1,"\\u0078"]'),
    encoded(Buffer.from('["profiles","updated_at","desc",1,"\xff"]', 'latin1')),
    `${encodeCursor(LIST, { value: 1, id: 'x' })}=`,
    `${encodeCursor(LIST, { value: 1, id: 'x' })}\n`,
  ])('%#: is refused unless it is the very token that was given out', (cursor) => {
    expect(() => decodeCursor(cursor, LIST)).toThrow(
      expect.objectContaining({ status: 400, message: 'Invalid cursor' }),
    );
  });
});
