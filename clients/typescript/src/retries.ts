const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 8_000;
/** Part of `Retry-After` that is added at random, so that waiting clients do not return in the same instant. */
const JITTER = 0.1;
/** Begins with a day of the week. */
const HTTP_DATE = /^[A-Z][a-z]+, /;

/**
 * Returns the milliseconds to wait before the next attempt; null if the response is final.
 * @param response null if the connection failed @param attempts number of attempts so far
 */
export function retryDelay(response: Response | null, attempts: number): number | null {
  if (response !== null && response.status !== 429 && response.status !== 503) return null;
  const seconds = response === null ? null : retryAfterIn(response);
  if (seconds !== null) return seconds * 1000 * (1 + Math.random() * JITTER);
  return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2);
}

/** Returns the seconds of `Retry-After`, which proxies may send as a date; null without one. */
export function retryAfterIn({ headers }: Response): number | null {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  // `Date.parse` takes almost anything, such as -5, for a date.
  const at = HTTP_DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1000);
}

/** Waits. @throws the reason of the signal */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
