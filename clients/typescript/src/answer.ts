/** What a request cost. A 404 costs units, too. */
export interface Cost {
  readonly quotaUnits: number;
  readonly credits: number;
}

/** The key's allowance of requests in the current minute. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Date;
}

/** What every response says about itself, in its headers. */
export interface AnswerDetails {
  readonly status: number;
  /** Quote it when you report a problem. */
  readonly requestId: string | null;
  readonly cost: Cost;
  /** Null if the service did not recognise the key. */
  readonly rateLimit: RateLimit | null;
  readonly headers: Headers;
  /** Number of requests that were sent, retries included. */
  readonly attempts: number;
}

/** Reads the details of a response. */
export function detailsOf({ status, headers }: Response, attempts: number): AnswerDetails {
  return {
    status,
    requestId: headers.get('x-request-id'),
    cost: { quotaUnits: numberIn(headers, 'x-quota-units'), credits: numberIn(headers, 'x-credits') },
    rateLimit: rateLimitIn(headers),
    headers,
    attempts,
  };
}

function rateLimitIn(headers: Headers): RateLimit | null {
  const reset = headers.get('x-ratelimit-minute-reset');
  if (reset === null) return null;
  return {
    limit: numberIn(headers, 'x-ratelimit-minute-limit'),
    remaining: numberIn(headers, 'x-ratelimit-minute-remaining'),
    resetAt: new Date(/^\d+$/.test(reset) ? Number(reset) * 1000 : reset),
  };
}

const numberIn = (headers: Headers, name: string): number => Number(headers.get(name) ?? 0);
