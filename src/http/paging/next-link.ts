/**
 * Formats the `Link` header (RFC 8288) of the next page: the request's query with the next cursor. The link is relative
 * and has only a query, so that it is right behind any proxy.
 * @param url path and query of a validated request; the text of its parameters is copied unchanged
 */
export function formatNextLink(url: string, nextCursor: string): string {
  const [target = ''] = url.split('#', 1);
  const queryAt = target.indexOf('?');
  const parameters = queryAt === -1 ? [] : target.slice(queryAt + 1).split('&');
  const kept = parameters.filter((parameter) => parameter !== '' && !isCursor(parameter));
  return `<?${[...kept, `cursor=${nextCursor}`].join('&')}>; rel="next"`;
}

function isCursor(parameter: string): boolean {
  const [name = ''] = parameter.split('=', 1);
  return (name.includes('%') ? decodeURIComponent(name) : name) === 'cursor';
}
