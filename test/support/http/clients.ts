import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http';
import { once } from 'node:events';

/** What a client remembers of an answer, to compare with the bill. */
export interface Receipt {
  readonly requestId: string;
  readonly path: string;
  readonly status: number;
  readonly units: number;
  readonly credits: number;
  readonly retryAfter: string | undefined;
  /** Milliseconds from the request to the head of its answer. */
  readonly ms: number;
  /** Time of arrival, as in `performance.now()`. */
  readonly at: number;
}

export interface ClientsOutcome {
  /** All answers whose head arrived. */
  readonly receipts: Receipt[];
  /** Error codes of requests that were sent and not answered. */
  readonly unanswered: string[];
}

export interface ClientsOptions {
  readonly origin: string;
  readonly key: string;
  readonly clients: number;
  /** Returns the path of the nth request. */
  readonly path: (nth: number) => string;
  /** Called with the number of answers so far. */
  readonly onAnswer?: (count: number) => void;
  /** Sends a request again when the server closed its idle connection at the same time. */
  readonly repeatsReset?: boolean;
  /** Stops a client after its request; by default, clients continue until the service is gone. */
  readonly isDone?: (count: number) => boolean;
}

/** Runs clients that each send one request after another on a persistent connection. */
export async function runClients(options: ClientsOptions): Promise<ClientsOutcome> {
  const outcome: ClientsOutcome = { receipts: [], unanswered: [] };
  let sent = 0;
  const next = () => options.path((sent += 1));
  await Promise.all(Array.from({ length: options.clients }, () => runClient(options, outcome, next)));
  return outcome;
}

/** Sends a GET request, once more if a reused connection is reset: the server may have closed it while it was idle, which
 * clients are to expect (RFC 9112, section 9.3.1). */
async function send(options: RequestOptions, repeatsReset: boolean): Promise<IncomingMessage> {
  const outgoing = request(options).end();
  try {
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return response;
  } catch (error) {
    const isReset = outgoing.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
    if (!repeatsReset || !isReset) throw error;
    return send({ ...options, agent: false }, false);
  }
}

async function runClient(
  options: ClientsOptions,
  { receipts, unanswered }: ClientsOutcome,
  next: () => string,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname, port } = new URL(options.origin);
  const enough = options.isDone ?? (() => false);
  try {
    while (!enough(receipts.length)) {
      const askedAt = performance.now();
      const path = next();
      const outgoing = { agent, hostname, port, path, headers: { 'x-api-key': options.key } };
      const response = await send(outgoing, options.repeatsReset ?? false);
      const { headers } = response;
      receipts.push({
        requestId: String(headers['x-request-id']),
        path,
        status: response.statusCode ?? 0,
        units: Number(headers['x-quota-units'] ?? 0),
        credits: Number(headers['x-credits'] ?? 0),
        retryAfter: headers['retry-after'],
        ms: performance.now() - askedAt,
        at: performance.now(),
      });
      options.onAnswer?.(receipts.length);
      response.resume();
      await once(response, 'end');
    }
  } catch (error) {
    // Not `instanceof Error`: errors of Node's own modules come from another realm than those of the tests.
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    // A connection that was not accepted carried no request.
    if (code !== 'ECONNREFUSED') unanswered.push(code);
  } finally {
    agent.destroy();
  }
}
