import { constants } from 'node:zlib';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import compression, { type CompressionOptions } from 'compression';
import type { NextFunction, RequestHandler } from 'express';
import { AppModule, type Surroundings } from './app.module.js';
import { LeanExpressAdapter, type ApiRequest, type ApiResponse } from '../http/lean-express.adapter.js';
import { NestLogger } from './nest-logger.js';
import { RouteTable } from '../http/route-table.js';
import { createOpenApiDocument, serveOpenApi } from './openapi/document.js';
import { RequestContext } from '../model/request-context.js';

/**
 * Compression at its quickest: even so it costs twice what everything else of a list does. The defaults save a tenth of the
 * bytes for twice the time, and Brotli's window of 4 MiB, which answers hardly ever fill, is memory for each under way.
 * Bodies below the threshold are sent as they are.
 */
const COMPRESSION: CompressionOptions = {
  threshold: 1024,
  level: constants.Z_BEST_SPEED,
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 } },
};

/** Builds the application: the one order of everything a request passes, for the service and for every test. */
export async function createApp(surroundings: Surroundings): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(surroundings), new LeanExpressAdapter(), {
    logger: new NestLogger(surroundings.logger),
    bodyParser: false,
    abortOnError: false,
  });
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', surroundings.config.trustProxy);

  const compress: RequestHandler = compression(COMPRESSION);
  // One middleware: Express takes a few microseconds to go from one to the next.
  app.use((request: ApiRequest, response: ApiResponse, next: NextFunction) => {
    request.context = new RequestContext(surroundings.clock.now());
    // `OPTIONS *` names no path; like any other unknown one it needs a key.
    if (request.url === '*') request.url = '/*';
    if (request.url.includes('%') && !isDecodable(request.url)) {
      request.context.malformedPath = true;
      request.url = '/malformed';
    }
    if (request.headers['accept-encoding'] === undefined) next();
    else compress(request as never, response as never, next);
  });

  const document = createOpenApiDocument(app);
  serveOpenApi(app, document);
  const routes = app.get(RouteTable);
  for (const path of ['/health/live', '/docs', '/openapi.json']) routes.add('GET', path);
  for (const [path, item] of Object.entries(document.paths)) {
    if (item.get !== undefined) routes.add('GET', path);
    if (item.post !== undefined) routes.add('POST', path);
  }
  return app;
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}
