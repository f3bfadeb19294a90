import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, deflate, gzip } from 'node:zlib';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { ApiRequest } from '../../http/api-request.js';

/** Shorter files gain nothing. */
const MIN_COMPRESSED_BYTES = 1024;

const FOLDER = new URL('./assets/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

export function readPageFile(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}

/** Replaces each `{{name}}` of a page with its value, unescaped. @throws Error for a name without a value */
export function fillTemplate(page: string, values: Readonly<Record<string, string>>): string {
  return page.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the page has no value for ${name}`);
    return value;
  });
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Creates a middleware that allows content from this service only. @param allowed further directives of the policy */
export function createSecurityHeaders(allowed: Readonly<Record<string, readonly string[]>> = {}): RequestHandler {
  const self = ["'self'"];
  const none = ["'none'"];
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: none,
        scriptSrc: self,
        styleSrc: self,
        imgSrc: self,
        connectSrc: self,
        baseUri: none,
        formAction: none,
        frameAncestors: none,
        ...allowed,
      },
    },
    // Browsers ignore these on plain HTTP, or would no longer open the service there.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    strictTransportSecurity: false,
  });
}

export const getRequestId = (request: Request): string => (request as unknown as ApiRequest).context.requestId;

/** Constant file. */
export interface PageFile {
  /** In lower case; requests may have any. */
  readonly path: string;
  /** Its ending tells the type. */
  readonly name: string;
  readonly content: string | Buffer;
  readonly protect: RequestHandler;
}

/** Reads files of `assets/`, to serve each under its name. @param folder of the path, such as `/docs/` */
export const readPageFiles = (names: readonly string[], protect: RequestHandler, folder = '/'): PageFile[] =>
  names.map((name) => ({ path: folder + name, name, content: readPageFile(name), protect }));

/**
 * Serves constant files, without key and record. Browsers cache them, and revalidate them each time. One middleware for all:
 * Express would match a route for each with every request of the API.
 */
export function servePageFiles(app: NestExpressApplication, files: readonly PageFile[]): void {
  const senders = new Map<string, Sender>(files.map((file) => [file.path, createSender(file)]));
  for (const { path, name } of files) {
    if (name.endsWith('.html') && !path.endsWith('/') && !senders.has(`${path}/`))
      senders.set(`${path}/`, redirectToPage(path));
  }
  app.use((request: Request, response: Response, next: NextFunction) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const send = isRead ? senders.get(request.path.toLowerCase()) : undefined;
    if (send === undefined) next();
    else send(request, response, next);
  });
}

type Sender = (request: Request, response: Response, next: NextFunction) => void;

/** Redirects a page's path with a slash at the end, under which its relative links would be wrong. The address is relative,
 * because a proxy may serve the pages under a path of its own. */
function redirectToPage(path: string): Sender {
  const location = `../${path.slice(path.lastIndexOf('/') + 1)}`;
  return (request, response) => response.set('X-Request-Id', getRequestId(request)).redirect(301, location);
}

/** Quality 5 takes a hundredth of the time of the default, and a quarter more bytes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const COMPRESSORS = {
  br: (body: Buffer) => promisify(brotliCompress)(body, BROTLI),
  gzip: (body: Buffer) => promisify(gzip)(body),
  deflate: (body: Buffer) => promisify(deflate)(body),
};

type Encoding = keyof typeof COMPRESSORS;

const ENCODINGS = Object.keys(COMPRESSORS) as Encoding[];

/** Compresses a constant file once. Doing it for each request would let callers without a key use much CPU. */
function compressOnce(body: Buffer): (encoding: Encoding | null) => Promise<Buffer> {
  const compressed: Partial<Record<keyof typeof COMPRESSORS, Promise<Buffer>>> = {};
  return (encoding) =>
    encoding === null ? Promise.resolve(body) : (compressed[encoding] ??= COMPRESSORS[encoding](body));
}

function createSender({ name, content, protect }: PageFile): Sender {
  const body = Buffer.from(content);
  const compress = compressOnce(body);
  const headers = {
    'Content-Type': TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    'Cache-Control': 'no-cache',
    ETag: `W/"${createHash('sha256').update(body).digest('base64url')}"`,
  };
  return (request, response, next) =>
    protect(request, response, () => {
      const accepted = body.length < MIN_COMPRESSED_BYTES ? false : request.acceptsEncodings(ENCODINGS);
      const encoding = ENCODINGS.find((each) => each === accepted) ?? null;
      compress(encoding)
        .then((encoded) => {
          response.set({ ...headers, 'X-Request-Id': getRequestId(request) }).vary('Accept-Encoding');
          if (encoding !== null) response.set('Content-Encoding', encoding);
          // Express handles `If-None-Match` and HEAD.
          response.send(encoded);
        })
        .catch(next);
    });
}
