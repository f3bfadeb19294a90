type Headers = Readonly<Record<string, { readonly $ref: string }>>;

const integer = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } });
const text = (description: string) => ({ description, schema: { type: 'string' } });

/** Documented response headers, for `components.headers`. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'ID of the request, as in `meta.request_id` of errors and in the usage record',
    schema: { type: 'string', format: 'uuid' },
  },
  'Cache-Control': text('Caching: `private, no-cache` (revalidate with the ETag before each use) or `no-store`'),
  Vary: text('Which request headers the answer depends on'),
  'X-RateLimit-minute-limit': integer('Requests a minute of this key'),
  'X-RateLimit-minute-remaining': integer('Requests left in this minute'),
  'X-RateLimit-minute-reset': integer('UNIX seconds at which the minute ends'),
  'X-Test-Mode': {
    description: '`true` for a test key, which is answered from sample data; otherwise absent',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Quota-Units': integer('Quota units that this request cost'),
  'X-Credits': integer('Marketplace credits that this request cost'),
  'X-Quota-Units-Limit': integer('Quota units a month of this key; only with such an allowance'),
  'X-Quota-Units-Remaining': integer('Quota units left in this month; only with such an allowance'),
  'X-Credits-Limit': integer('Marketplace credits a month of this key; only with such an allowance'),
  'X-Credits-Remaining': integer('Marketplace credits left in this month; only with such an allowance'),
  'X-Allowance-Reset': integer('UNIX seconds at which the next UTC month begins; only with an allowance'),
  ETag: text(
    'Weak tag of everything but the parts of `meta` that are about the request; send it as `If-None-Match` to the same address',
  ),
  Link: text('Link to the next page, if any, as `<?QUERY>; rel="next"`'),
  'Retry-After': {
    description: 'Whole seconds after which to ask again',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': text('How to authenticate: with the header that it names'),
  Allow: text('Methods that the path supports'),
} as const;

type HeaderName = keyof typeof HEADERS;

export const headerReferences = (...names: readonly HeaderName[]): Headers =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Headers of responses without a valid key. */
export const PLAIN_HEADERS = headerReferences('X-Request-Id', 'Cache-Control', 'Vary');

/** Headers of every response to a valid key, errors included. */
export const RECEIPT_HEADERS: Headers = {
  ...PLAIN_HEADERS,
  ...headerReferences(
    'X-RateLimit-minute-limit',
    'X-RateLimit-minute-remaining',
    'X-RateLimit-minute-reset',
    'X-Test-Mode',
    'X-Quota-Units',
    'X-Credits',
    'X-Quota-Units-Limit',
    'X-Quota-Units-Remaining',
    'X-Credits-Limit',
    'X-Credits-Remaining',
    'X-Allowance-Reset',
  ),
};

/** Headers of responses with data. */
export const DATA_HEADERS: Headers = { ...RECEIPT_HEADERS, ...headerReferences('ETag') };
