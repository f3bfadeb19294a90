/**
 * The value of `Link` (RFC 8288) for the page behind this one: the query of the request with the next cursor. Only a query,
 * as a reference relative to the address that the client asked for: whatever host and path a proxy shows, it holds.
 * @param url the path and query of a request whose parameters were validated: their text is taken as it is
 */
export function nextLink(url: string, nextCursor: string): string {
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
