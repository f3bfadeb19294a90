import type { Answer } from './request.js';
import { sendOperation, type Description, type Sendable } from '../openapi/operations.js';
import type { TestService } from '../service/test-service.js';

/** Texts that some part of a service might misinterpret. */
export const ODD_TEXTS: readonly string[] = [
  '',
  'x'.repeat(10_000),
  '\u0000',
  '__proto__',
  'constructor',
  'toString',
  'null',
  '{}',
  '0',
  '-1',
  '0x10',
  '１',
  '9007199254740993',
  '1'.repeat(400),
  "' OR '1'='1",
  "1'; DROP TABLE profiles; --",
  '%',
  '\\',
  '?',
  '$1',
  '../../etc/passwd',
  'a/b',
  '\r\nX-Injected: 1',
  '😀',
  '\u202eשלום',
  '2026-02-30',
];

/** Invalid percent escapes, and escapes of bytes that are not UTF-8; sent unchanged. */
const ESCAPES = [
  '%',
  '%2',
  '%zz',
  '%ff',
  '%c0%80',
  '%ed%a0%80',
  '%00',
  '%u0041',
  '%25%30%30',
  '+',
  '%2e%2e%2f',
  ';a=1',
];

/** All odd texts and escapes, as written into a URL. */
export const ODD_ENCODED_TEXTS: readonly string[] = [...ODD_TEXTS.map(encodeURIComponent), ...ESCAPES];

/** Requests in flight at the same time. */
const AT_ONCE = 50;

/** Returns why a client cannot work with an answer; null for a valid one. */
export function problemOf(description: Description, { status, headers, body }: Answer): string | null {
  const isSuccess = status === 200;
  if (!isSuccess && (status < 400 || status > 499)) return `status ${status}`;
  if (headers['content-type'] !== 'application/json; charset=utf-8') return `type ${headers['content-type']}`;
  if ('x-injected' in headers) return 'a header of the client';
  if (isSuccess) return 'payload' in body && 'meta' in body ? null : 'no success envelope';
  const problems = description.problemsOfError(body);
  if (problems.length > 0 || body.error.status !== status) return `no error envelope: ${JSON.stringify(body)}`;
  return body.meta.request_id === headers['x-request-id'] ? null : 'another request ID';
}

/** Sends requests concurrently. @returns their number, and those with an invalid answer */
export async function sendAll(
  service: TestService,
  description: Description,
  requests: readonly Sendable[],
): Promise<{ sent: number; wrong: string[] }> {
  const wrong: string[] = [];
  for (let start = 0; start < requests.length; start += AT_ONCE) {
    const answers = requests.slice(start, start + AT_ONCE).map(async (request) => {
      const problem = problemOf(description, await sendOperation(service, request));
      const { method, path, body = '' } = request;
      if (problem !== null) wrong.push(`${problem}: ${method} ${path.slice(0, 200)} ${body.slice(0, 100)}`);
    });
    await Promise.all(answers);
  }
  return { sent: requests.length, wrong };
}
