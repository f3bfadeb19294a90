import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { ApiRequest } from '../../http/api-request.js';

const FOLDER = new URL('./assets/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** A file of the pages, as text. */
export function pageFile(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}

/** Puts values into the `{{name}}` of a page, as they are. @throws Error for a name without a value */
export function filled(page: string, values: Readonly<Record<string, string>>): string {
  return page.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the page has no value for ${name}`);
    return value;
  });
}

/** Text as HTML shows it. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Content that may load from this service only, beside what is allowed. */
export function protection(allowed: Readonly<Record<string, readonly string[]>> = {}): RequestHandler {
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
    // These would be refused, or lock people out, on plain HTTP.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    strictTransportSecurity: false,
  });
}

/** The ID that the first middleware gave. */
export const requestIdOf = (request: Request): string => (request as unknown as ApiRequest).context.requestId;

/** Serves a file that does not change while the service runs: no key, no record; browsers keep it, and ask each time. */
export function serveFile(
  app: NestExpressApplication,
  path: string | RegExp,
  { name, content, protect }: { readonly name: string; readonly content: string; readonly protect: RequestHandler },
): void {
  const body = Buffer.from(content);
  const headers = {
    'Content-Type': TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    'Cache-Control': 'no-cache',
    ETag: `W/"${createHash('sha256').update(body).digest('base64url')}"`,
  };
  const express = app.getHttpAdapter().getInstance() as Express;
  express.get(path, protect, (request: Request, response: Response) => {
    // Express answers 304 and HEAD.
    response.set({ ...headers, 'X-Request-Id': requestIdOf(request) }).send(body);
  });
}
