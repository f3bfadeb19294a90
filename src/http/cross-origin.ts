import cors from 'cors';
import type { NextFunction, RequestHandler } from 'express';
import type { ApiRequest, ApiResponse } from './api-request.js';
import { HEADERS } from './envelope/header-documentation.js';

/** Time that browsers keep the answer to a preflight, in seconds; Chromium keeps none longer. */
const PREFLIGHT_SECONDS = 7200;

/** Whether a browser asks whether a page of another origin may send a request. */
export const isPreflight = ({ method, headers }: ApiRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

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

/** Lists the headers that let a page read an answer that passes no middleware: alternating names and values. */
export type OriginHeaders = (origin: string | null) => readonly string[];

export function createOriginHeaders(origins: readonly string[] | '*' | null): OriginHeaders {
  const expose = ['Access-Control-Expose-Headers', Object.keys(HEADERS).join(',')];
  return (origin) => {
    if (origins === '*') return ['Access-Control-Allow-Origin', '*', ...expose];
    if (origins === null) return [];
    const isAllowed = origin !== null && origins.includes(origin);
    return ['Vary', 'Origin', ...(isAllowed ? ['Access-Control-Allow-Origin', origin, ...expose] : [])];
  };
}
