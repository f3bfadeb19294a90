import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ROOT } from '../files/project-root.js';
import { DescribedSchemas } from './described-schemas.js';

/** The parts of an answer that are checked. */
interface CheckedAnswer {
  readonly status: number;
  readonly headers: object;
  readonly text: string;
  readonly body: unknown;
}

interface DescribedResponse {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: object;
}

/** Headers that only some answers have: those of lists with a next page, or to a key with a monthly allowance or for tests. */
const OPTIONAL_HEADERS = new Set([
  'link',
  'x-quota-units-limit',
  'x-quota-units-remaining',
  'x-credits-limit',
  'x-credits-remaining',
  'x-allowance-reset',
  'x-test-mode',
]);

/** Headers of the transport, and of `CORS_ORIGINS`, which the description omits. */
const TRANSPORT_HEADERS = new Set([
  'access-control-allow-origin',
  'access-control-expose-headers',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-content-type-options',
]);

/** Statuses that also occur before the key is known, and then without the headers about it. */
const STATUSES_BEFORE_KEY = ['429', '500', '503'];

const schemaOf = (pointer: string) => `${pointer}/content/application~1json/schema`;

/** Checks answers against `docs/openapi.json`: status, headers, and every member of the body. */
export class AnswerCheck {
  readonly #routes: readonly { readonly pattern: RegExp; readonly path: string }[];
  readonly #schemas: DescribedSchemas;

  constructor(private readonly document: OpenAPIObject) {
    this.#routes = Object.keys(document.paths)
      // Paths without parameters come first, because they also match paths with parameters.
      .toSorted((a, b) => a.split('{').length - b.split('{').length)
      .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i') }));
    this.#schemas = new DescribedSchemas(document);
  }

  static ofCommitted(): AnswerCheck {
    return new AnswerCheck(JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')));
  }

  /**
   * @param condition the request's `If-None-Match`
   * @returns the differences from the description; empty when there are none
   */
  problemsOf(method: string, target: string, answer: CheckedAnswer, condition?: string): string[] {
    // Only a browser reads the answer to a preflight.
    if (method === 'OPTIONS' && answer.status === 204) return [];
    const pointer = this.#responsePointer(method, target.split('?', 1)[0] ?? '', String(answer.status));
    if (pointer === null) return this.#problemsOfUnknown(target, answer);
    const described = this.#at(pointer);
    const response = described.$ref === undefined ? described : this.#at(described.$ref);
    // A 304 to `*` has no tag: the client never had one.
    const isUntagged = answer.status === 304 && condition?.trim() === '*';
    const names = Object.keys(response.headers ?? {})
      .map((name) => name.toLowerCase())
      .filter((name) => name !== 'etag' || !isUntagged);
    const isKeyKnown = !STATUSES_BEFORE_KEY.includes(String(answer.status));
    return [
      ...Object.keys(answer.headers)
        .filter((name) => !TRANSPORT_HEADERS.has(name) && !names.includes(name))
        .map((name) => `a header that is not described: ${name}`),
      ...names
        .filter(
          (name) => !(name in answer.headers) && !OPTIONAL_HEADERS.has(name) && (isKeyKnown || name === 'retry-after'),
        )
        .map((name) => `no header ${name}`),
      ...this.#problemsOfBody(response, schemaOf(described.$ref ?? pointer), answer),
    ];
  }

  #problemsOfBody(response: DescribedResponse, schema: string, { text, body }: CheckedAnswer): string[] {
    if (response.content === undefined) return text === '' ? [] : ['a body where none is described'];
    if (body === undefined) return []; // HEAD, or compressed
    return this.#schemas.problems(schema, body).map((problem) => JSON.stringify(problem));
  }

  /** Checks an answer of no described operation: an error must use the envelope; pages are not checked. */
  #problemsOfUnknown(target: string, { status, body }: CheckedAnswer): string[] {
    if (this.#pathOf(target.split('?', 1)[0] ?? '') !== null) return [`status ${status} is not described`];
    if (body === undefined || status < 400) return [];
    return this.#schemas.problems('#/components/schemas/Error', body).map((problem) => JSON.stringify(problem));
  }

  #pathOf(path: string): string | null {
    return this.#routes.find(({ pattern }) => pattern.test(path))?.path ?? null;
  }

  #responsePointer(method: string, asked: string, status: string): string | null {
    const wanted = method === 'POST' ? 'post' : 'get';
    const matching = this.#routes.filter(({ pattern }) => pattern.test(asked)).map(({ path }) => path);
    const has = (path: string, name: string) => name in (this.document.paths[path] ?? {});
    const path = matching.find((candidate) => has(candidate, wanted)) ?? matching[0];
    if (path === undefined) return null;
    // Another method than the described ones is answered like these.
    const known = has(path, wanted) ? wanted : wanted === 'get' ? 'post' : 'get';
    const responses = this.document.paths[path]?.[known]?.responses ?? {};
    return status in responses ? `#/paths/${path.replaceAll('/', '~1')}/${known}/responses/${status}` : null;
  }

  #at(pointer: string): DescribedResponse {
    let value: unknown = this.document;
    for (const step of pointer.slice(2).split('/')) {
      value = (value as Record<string, unknown>)[step.replaceAll('~1', '/')];
    }
    return value as DescribedResponse;
  }
}
