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

/** Serves a constant file, without key and record. Browsers cache it, and revalidate it each time. */
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
    // Express handles `If-None-Match` and HEAD.
    response.set({ ...headers, 'X-Request-Id': getRequestId(request) }).send(body);
  });
}
