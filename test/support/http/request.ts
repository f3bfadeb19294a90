import { request as send, type IncomingHttpHeaders } from 'node:http';
import { AnswerCheck } from '../openapi/answer-check.js';
import { printedShort } from './difference.js';

let check: AnswerCheck | undefined;

/** Rejects an answer that docs/openapi.json does not describe, except while that file is being written. */
function rejectUndescribed(method: string, path: string, answer: Answer, condition?: string): void {
  // Messages of /mcp are not described.
  if (process.env.WRITE_GENERATED !== undefined || path.startsWith('/mcp')) return;
  const problems = (check ??= AnswerCheck.ofCommitted()).problemsOf(method, path, answer, condition);
  if (problems.length > 0) throw new Error(`${method} ${path}, ${answer.status}: ${problems.join('; ')}`);
}

/** An answer as received. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** Body parsed as JSON; undefined without one. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests say what they expect of each member
  readonly body: any;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

/**
 * Sends one request exactly as given: the path is not normalised, and only Host is added. @throws Error for an
 * undescribed answer
 */
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
        const answer: Answer = printedShort({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes,
          text,
          body: isJson && text !== '' ? JSON.parse(text) : undefined,
        });
        try {
          rejectUndescribed(method, path, answer, headers['if-none-match']?.toString());
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
