import { connect, type Socket } from 'node:net';
import { printedShort } from './difference.js';

/** An answer as read from a socket. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Body parsed as JSON; undefined when it is not JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests say what they expect of each member
  readonly body: any;
}

export interface Exchange {
  readonly answers: RawAnswer[];
  /** Time until the server closed the connection; null if it did not. */
  readonly closedAfterMs: number | null;
}

export interface ExchangeOptions {
  /** Whether to send FIN after the bytes. */
  readonly halfClose?: boolean;
  /** Number of answers to wait for; by default, wait for the end of the connection. */
  readonly answers?: number;
  readonly withinMs?: number;
  /** Bytes to send later. */
  readonly later?: { readonly bytes: string; readonly delayMs: number };
}

export function connectTo(origin: string): Socket {
  const { hostname, port } = new URL(origin);
  return connect({ host: hostname, port: Number(port), allowHalfOpen: true }).on('error', () => undefined);
}

/** Sends bytes exactly as given. @returns the answers until the server closed, or until enough have arrived */
export async function exchange(
  origin: string,
  bytes: string | Buffer,
  { halfClose = false, answers: enough = Infinity, withinMs = 20_000, later }: ExchangeOptions = {},
): Promise<Exchange> {
  const startedAt = performance.now();
  const socket = connectTo(origin);
  if (halfClose) socket.end(bytes);
  else socket.write(bytes);
  if (later !== undefined) setTimeout(() => socket.write(later.bytes), later.delayMs);
  let received = Buffer.alloc(0);
  let closedAfterMs: number | null = null;
  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, withinMs);
    const over = () => {
      closedAfterMs ??= performance.now() - startedAt;
      clearTimeout(late);
      resolve();
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (parseAnswers(received).length < enough) return;
      clearTimeout(late);
      resolve();
    });
    socket.once('end', over);
    socket.once('close', over);
  });
  socket.destroy();
  return { answers: parseAnswers(received), closedAfterMs };
}

/** Parses all complete answers, including `100 Continue`. */
export function parseAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let at = 0;
  for (;;) {
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    if (headEnd < 0) return answers;
    const [statusLine = '', ...lines] = bytes.toString('latin1', at, headEnd).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const bodyAt = headEnd + 4;
    // The answer to HEAD states the length of a body that is not sent.
    const isBodiless = bytes.toString('latin1', bodyAt, bodyAt + 5) === 'HTTP/';
    const end = bodyAt + (isBodiless ? 0 : Number(headers['content-length'] ?? 0));
    if (bytes.length < end) return answers;
    const text = bytes.toString('utf8', bodyAt, end);
    answers.push(printedShort({ status: Number(statusLine.split(' ')[1]), headers, text, body: jsonOf(text) }));
    at = end;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
