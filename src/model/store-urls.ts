/** Checks of store URLs. Each returns null for a valid URL, otherwise the problem, or '' if listing the accepted forms is enough. */

/** Returns a URL with its scheme in lower case. */
export const lowerCaseScheme = (text: string): string => text.replace(/^[a-z+]+:/i, (scheme) => scheme.toLowerCase());

/** Excludes `:memory:`, because each connection, thread and process would open its own database, and `file:` URIs, because they
 * can name a database in memory too. */
const SQLITE_FILE = /^sqlite:(?!:memory:$)(?!file:)[^\p{Cc}]*[^\p{Cc}/]$/iu;

const CONTROL = /\p{Cc}/u;

/** Accepted options of Redis URLs, as `name=value`. MySQL URLs accept none. */
const REDIS_OPTIONS = /^(family=[046]|db=\d+)$/;

export function checkSqliteUrl(text: string): string | null {
  const path = text.slice(text.indexOf(':') + 1);
  if (path.trim() !== path) return 'PATH must not begin or end with a blank';
  // A slip for `mysql://` would make a folder named by the password.
  if (/^\/\/[^/]*@/.test(path)) return 'PATH must not begin with a user and a host, which only MySQL has';
  return SQLITE_FILE.test(text) ? null : '';
}

export function checkMysqlUrl(text: string): string | null {
  const url = parseUrl(text, /^mysql:\/\//);
  if (url === null || url.pathname.length < 2) return '';
  // The end of a password with an unescaped slash. As the name of a database, messages would print it.
  if (url.pathname.includes('@')) return 'a / in the user or the password must be written as %2F';
  try {
    // Drivers decode the user and the password, which throws for malformed escapes.
    decodeURIComponent(text);
  } catch {
    return '';
  }
  return checkOptions(url);
}

export function checkRedisUrl(text: string): string | null {
  const url = parseUrl(text, /^rediss?:\/\//);
  if (url === null || !/^\/?\d*$/.test(url.pathname)) return '';
  if (url.pathname.length > 1 && url.searchParams.has('db')) return 'it must name one database';
  return checkOptions(url, REDIS_OPTIONS);
}

function parseUrl(text: string, start: RegExp): URL | null {
  // `URL` ignores surrounding blanks and embedded line breaks, but some drivers do not.
  if (!start.test(text) || text.trim() !== text || CONTROL.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.hostname === '' ? null : url;
}

/** Rejects unsupported options, because a driver would apply them or silently ignore them. */
function checkOptions(url: URL, accepted?: RegExp): string | null {
  if (url.hash !== '') return 'a # in the user or the password must be written as %23';
  for (const [name, value] of url.searchParams) {
    if (accepted?.test(`${name}=${value}`) === true) continue;
    // An @ means that the query is part of a password with an unescaped `?`, so do not print it.
    const isName = /^\w{1,40}$/.test(name) && !url.search.includes('@');
    return isName ? `the option ${name} is not supported` : 'options are not supported';
  }
  return null;
}
