import { Agent, request } from 'node:http';
import { once } from 'node:events';

/** What a client keeps of an answer: enough to hold the bill against. */
export interface Receipt {
  readonly requestId: string;
  readonly status: number;
  readonly units: number;
  readonly credits: number;
  readonly retryAfter: string | undefined;
  /** Whether the service knew the key: it cannot look one up while its store is away. */
  readonly isKnown: boolean;
  /** From the request to the head of its answer. */
  readonly ms: number;
  /** When it came, on the clock of `performance.now()`. */
  readonly at: number;
}

export interface ClientsOutcome {
  /** Every answer that arrived, at least its head. */
  readonly receipts: Receipt[];
  /** Requests that were sent and got no answer: the codes of their errors. */
  readonly unanswered: string[];
}

export interface ClientsOptions {
  readonly origin: string;
  readonly key: string;
  readonly clients: number;
  /** The path of the nth request of all. */
  readonly path: (nth: number) => string;
  /** Called with the number of answers so far. */
  readonly answered?: (count: number) => void;
  /** Ends a client after its request; by default clients go on until nobody answers. */
  readonly enough?: (count: number) => boolean;
}

/** Clients that each send one request after the other on a connection that they keep. */
export async function runClients(options: ClientsOptions): Promise<ClientsOutcome> {
  const outcome: ClientsOutcome = { receipts: [], unanswered: [] };
  let sent = 0;
  const next = () => options.path((sent += 1));
  await Promise.all(Array.from({ length: options.clients }, () => runClient(options, outcome, next)));
  return outcome;
}

async function runClient(
  options: ClientsOptions,
  { receipts, unanswered }: ClientsOutcome,
  next: () => string,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname, port } = new URL(options.origin);
  const enough = options.enough ?? (() => false);
  try {
    while (!enough(receipts.length)) {
      const askedAt = performance.now();
      const outgoing = request({ agent, hostname, port, path: next(), headers: { 'x-api-key': options.key } });
      outgoing.end();
      const [response] = (await once(outgoing, 'response')) as [import('node:http').IncomingMessage];
      const { headers } = response;
      receipts.push({
        requestId: String(headers['x-request-id']),
        status: response.statusCode ?? 0,
        units: Number(headers['x-quota-units'] ?? 0),
        credits: Number(headers['x-credits'] ?? 0),
        retryAfter: headers['retry-after'],
        isKnown: headers['x-ratelimit-minute-limit'] !== undefined,
        ms: performance.now() - askedAt,
        at: performance.now(),
      });
      options.answered?.(receipts.length);
      response.resume();
      await once(response, 'end');
    }
  } catch (error) {
    // Not `instanceof Error`: what Node's own modules throw is of another realm than the tests'.
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    // A connection that was never taken carried no request.
    if (code !== 'ECONNREFUSED') unanswered.push(code);
  } finally {
    agent.destroy();
  }
}
