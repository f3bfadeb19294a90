import { request as send, type IncomingHttpHeaders } from 'node:http';
import { AnswerCheck } from '../openapi/answer-check.js';

let check: AnswerCheck | undefined;

/** Every answer of every test is as `docs/openapi.json` has it, but where that is being written. */
function refuseUndescribed(method: string, path: string, answer: Answer): void {
  // Messages of /mcp are not of this API.
  if (process.env.WRITE_GENERATED !== undefined || path.startsWith('/mcp')) return;
  const problems = (check ??= AnswerCheck.ofCommitted()).problemsOf(method, path, answer);
  if (problems.length > 0) throw new Error(`${method} ${path}, ${answer.status}: ${problems.join('; ')}`);
}

/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body as JSON; undefined where there is none. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests say what they expect of each member
  readonly body: any;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

/** Sends one request exactly as given: no normalised path, no headers added but Host. @throws where its answer is not as described */
export function httpRequest(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const outgoing = send({ hostname, port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString('utf8');
        const isJson =
          response.headers['content-type']?.startsWith('application/json') === true &&
          response.headers['content-encoding'] === undefined;
        const answer: Answer = {
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes,
          text,
          body: isJson && text !== '' ? JSON.parse(text) : undefined,
        };
        try {
          refuseUndescribed(method, path, answer);
          resolve(answer);
        } catch (error) {
          reject(error);
        }
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
