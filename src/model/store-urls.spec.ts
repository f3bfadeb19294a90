import { describe, expect, it } from '@jest/globals';
import { checkMysqlUrl, checkRedisUrl, checkSqliteUrl, lowerCaseScheme } from './store-urls.js';

const NO_BLANKS = 'PATH must not begin or end with a blank';
const ENCODE = 'a # in the user or the password must be written as %23';

it.each([
  ['MySQL://User@Host/DB', 'mysql://User@Host/DB'],
  ['REDIS+Sentinel://A/B', 'redis+sentinel://A/B'],
  ['./SQLITE:x', './SQLITE:x'],
])('lowerCaseScheme(%j)', (text, expected) => expect(lowerCaseScheme(text)).toBe(expected));

describe('checkSqliteUrl', () => {
  it.each([
    ['sqlite:x', null],
    ['sqlite:./a b.sqlite', null],
    ['sqlite:/:memory:', null],
    ['sqlite:./file:x', null],
    ['sqlite::memory:x', null],
    ['xsqlite:x', ''],
    ['sqlite:', ''],
    ['sqlite:/', ''],
    ['sqlite://user:pw@host/db', 'PATH must not begin with a user and a host, which only MySQL has'],
    ['sqlite:data/', ''],
    ['sqlite::memory:', ''],
    ['sqlite::MEMORY:', ''],
    ['sqlite:file:x', ''],
    ['sqlite:a\nb', ''],
    ['sqlite:a\0', ''],
    ['sqlite: x', NO_BLANKS],
    ['sqlite:x\n', NO_BLANKS],
  ])('%j', (text, expected) => expect(checkSqliteUrl(text)).toBe(expected));
});

describe('checkMysqlUrl', () => {
  it.each([
    ['mysql://host/d', null],
    ['mysql://user:pass word@host:3306/d', null],
    ['mysql://host', ''],
    ['mysql://host/', ''],
    ['mysql:///d', ''],
    ['mysql:host/d', ''],
    ['http://mysql://host/d', ''],
    ['mysql://host/d ', ''],
    ['mysql://host:x/d', ''],
    ['mysql://host/d\n', ''],
    ['mysql://ho\tst/d', ''],
    ['mysql://a:%zz@host/d', ''],
    ['mysql://user:1/word@host/d', 'a / in the user or the password must be written as %2F'],
    ['mysql://host/d?a=1', 'the option a is not supported'],
    ['mysql://host/d?toString=1', 'the option toString is not supported'],
    ['mysql://host/d?family=6', 'the option family is not supported'],
    [`mysql://host/d?${'a'.repeat(40)}`, `the option ${'a'.repeat(40)} is not supported`],
    [`mysql://host/d?${'a'.repeat(41)}`, 'options are not supported'],
    ['mysql://host/d?-a', 'options are not supported'],
    ['mysql://host/d?a-', 'options are not supported'],
    ['mysql://u:1/x?secret&x@host/d', 'options are not supported'],
    ['mysql://host/d?a#b', ENCODE],
  ])('%j', (text, expected) => expect(checkMysqlUrl(text)).toBe(expected));
});

describe('checkRedisUrl', () => {
  it.each([
    ['redis://host', null],
    ['rediss://u:p@host:1/12', null],
    ['redis://host?family=4', null],
    ['redis://host/?family=6&family=0', null],
    ['redis:6379', ''],
    ['http://host/1?redis://', ''],
    ['redis:///1', ''],
    ['redis://host/a', ''],
    ['redis://host/1a', ''],
    ['redis://host/1/2', ''],
    ['redis://host?family=44', 'the option family is not supported'],
    ['redis://host?xfamily=4', 'the option xfamily is not supported'],
    ['redis://host?family=4&db=12', null],
    ['redis://host?db=x', 'the option db is not supported'],
    ['redis://host?xdb=1', 'the option xdb is not supported'],
    ['redis://host?password=p', 'the option password is not supported'],
    ['redis://host/?db=1', null],
    ['redis://host/1?db=1', 'it must name one database'],
    ['redis://host#x', ENCODE],
  ])('%j', (text, expected) => expect(checkRedisUrl(text)).toBe(expected));
});
