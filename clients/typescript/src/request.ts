/** How an operation is requested: which parameters go into its query and its body. The others are in its path. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  /** With the names of parameters in braces. */
  readonly path: string;
  readonly query: readonly string[];
  readonly body: readonly string[];
}

/** Returns the URL of a request. @throws TypeError for an unknown parameter, or one that cannot be a segment of a path */
export function addressOf(baseUrl: string, operation: Operation, parameters: object): string {
  const { path, query } = operation;
  requireKnown(operation, parameters);
  const values = new Map<string, unknown>(Object.entries(parameters));
  const url = new URL(
    baseUrl.replace(/\/+$/, '') + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, values.get(name))),
  );
  for (const name of query) {
    const value = values.get(name) as string | number | boolean | undefined;
    if (value !== undefined) url.searchParams.append(name, String(value));
  }
  return url.href;
}

/** Returns the JSON body of a request; null if the operation has none. */
export function bodyOf({ method, body }: Operation, parameters: object): string | null {
  if (method === 'GET') return null;
  return JSON.stringify(Object.fromEntries(Object.entries(parameters).filter(([name]) => body.includes(name))));
}

/** JavaScript checks no types, and a request without a misspelt filter is another one, which is charged. */
function requireKnown({ path, query, body }: Operation, parameters: object): void {
  const known = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).concat(query, body);
  const unknown = Object.keys(parameters).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`unknown parameter ${unknown}; the parameters are ${known.join(', ') || 'none'}`);
}

function segment(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : '';
  // URLs drop dots, so that the request would have another path.
  if (text === '' || text === '.' || text === '..')
    throw new TypeError(`${name} must be a string, and not "", "." or ".."`);
  return encodeURIComponent(text);
}
