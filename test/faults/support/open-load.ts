import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Interval at which due requests are sent. */
const TICK_MS = 5;

/** Time after which a request counts as unanswered. */
const GIVE_UP_AFTER_MS = 10_000;

/** Result of a load. */
export interface LoadOutcome {
  readonly answers: number;
  readonly aSecond: number;
  readonly statuses: Readonly<Record<number, number>>;
  /** Latencies in ms from the due time of a request, without answers of 503. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** Number of closed connections and unanswered requests. */
  readonly unanswered: number;
  /** Number of 503 answers without Retry-After. */
  readonly withoutRetryAfter: number;
}

export interface LoadOptions {
  readonly origin: string;
  readonly key: string;
  readonly connections: number;
  readonly paths: readonly string[];
  /** Requests a second, independent of the answers; without a free connection they wait for one. */
  readonly rate: number;
  readonly seconds: number;
}

/** Sends requests at a constant rate (open loop), over connections with one request in flight each. */
export async function runOpenLoad({
  origin,
  key,
  connections,
  paths,
  rate,
  seconds,
}: LoadOptions): Promise<LoadOutcome> {
  const { hostname, port } = new URL(origin);
  const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: load\r\nx-api-key: ${key}\r\n\r\n`);
  const statuses: Record<number, number> = {};
  const times: number[] = [];
  let [sent, unanswered, withoutRetryAfter, longest] = [0, 0, 0, 0];
  const free: Socket[] = [];
  const dueAt = new Map<Socket, number>();
  const waiting: number[] = [];

  const send = (socket: Socket, due: number) => {
    dueAt.set(socket, due);
    socket.write(requests[(sent += 1) % requests.length] ?? '');
  };
  const answered = (socket: Socket, head: string) => {
    const ms = performance.now() - (dueAt.get(socket) ?? 0);
    dueAt.delete(socket);
    const status = Number(head.slice(9, 12));
    statuses[status] = (statuses[status] ?? 0) + 1;
    longest = Math.max(longest, ms);
    if (status !== 503) times.push(ms);
    else if (!/\r\nretry-after: \d/i.test(head)) withoutRetryAfter += 1;
    const due = waiting.shift();
    if (due === undefined) free.push(socket);
    else send(socket, due);
  };
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(Number(port), hostname).setNoDelay();
      await once(socket, 'connect');
      onAnswer(socket, (head) => answered(socket, head));
      socket
        .on('error', () => undefined)
        .on('close', () => {
          if (dueAt.delete(socket)) unanswered += 1;
        });
      free.push(socket);
      return socket;
    }),
  );

  const startedAt = performance.now();
  let due = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = performance.now() - startedAt;
      for (; due < (Math.min(elapsed, seconds * 1000) * rate) / 1000; due += 1) {
        const at = startedAt + (due * 1000) / rate;
        const socket = free.shift();
        if (socket !== undefined && !socket.destroyed) send(socket, at);
        // Discard requests beyond what all connections could still send.
        else if (waiting.length < connections) waiting.push(at);
      }
      const isOver = elapsed > seconds * 1000;
      if (isOver) waiting.length = 0;
      if (!isOver || (dueAt.size > 0 && elapsed < seconds * 1000 + GIVE_UP_AFTER_MS)) return;
      clearInterval(timer);
      resolve();
    }, TICK_MS);
  });
  unanswered += dueAt.size;
  dueAt.clear();
  for (const socket of sockets) socket.destroy();
  const sorted = Float64Array.from(times).sort();
  const percentile = (part: number) => Math.round(sorted[Math.floor(sorted.length * part)] ?? 0);
  const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return {
    answers,
    aSecond: Math.round(answers / seconds),
    statuses,
    p50: percentile(0.5),
    p99: percentile(0.99),
    longest: Math.round(longest),
    unanswered,
    withoutRetryAfter,
  };
}

/** Reports the head of each answer once its body is complete. */
function onAnswer(socket: Socket, answered: (head: string) => void): void {
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
    const headEnd = text.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = text.slice(0, headEnd);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (text.length < headEnd + 4 + length) return;
    text = '';
    answered(head);
  });
}
