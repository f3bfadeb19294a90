import cors from 'cors';
import type { NextFunction, RequestHandler } from 'express';
import type { ApiRequest, ApiResponse } from './api-request.js';
import { HEADERS } from './envelope/header-documentation.js';

/** Time that browsers keep the answer to a preflight, in seconds; Chromium keeps none longer. */
const PREFLIGHT_SECONDS = 7200;

/**
 * Creates the middleware that lets pages of other origins call the API. It answers preflights without key, record and
 * limit, because browsers send none with them. Errors have the headers, too; otherwise a page could not read the status.
 */
export function createCrossOriginHandler(origins: readonly string[] | '*'): RequestHandler {
  const handle = cors({
    origin: origins === '*' ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST'],
    exposedHeaders: Object.keys(HEADERS),
    maxAge: PREFLIGHT_SECONDS,
  });
  const handleRequest = (request: ApiRequest, response: ApiResponse, next: NextFunction) => {
    if (request.method === 'OPTIONS') response.setHeader('X-Request-Id', request.context.requestId);
    handle(request as never, response as never, next);
  };
  return handleRequest as unknown as RequestHandler;
}
