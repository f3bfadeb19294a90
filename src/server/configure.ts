import { constants } from 'node:zlib';
import type { NestExpressApplication } from '@nestjs/platform-express';
import compression, { type CompressionOptions } from 'compression';
import type { NextFunction, RequestHandler } from 'express';
import type { ApiRequest, ApiResponse } from '../http/api-request.js';
import { createCrossOriginHandler, createOriginHeaders } from '../http/cross-origin.js';
import { patchSoleInterceptor } from '../http/awaited-interceptors.js';
import { ApiDescription } from './agents/api-description.js';
import { RouteTable } from '../http/route-table.js';
import { createOpenApiDocument } from './openapi/document.js';
import { POSTMAN_PATH, servePostman } from './openapi/postman.js';
import { createErrorsPage } from './pages/errors-page.js';
import { createGuidePage } from './pages/guide-page.js';
import { createLandingPage } from './pages/landing-page.js';
import { servePageFiles } from './pages/page-files.js';
import { createReferencePage } from './pages/reference-page.js';
import { createSharedFiles } from './pages/shared-files.js';
import { createStatusPage } from './pages/status-page.js';
import { createErrorOutcome } from '../http/envelope/error-outcome.js';
import { Settlement } from '../http/envelope/settlement.js';
import type { LeanExpressAdapter } from '../http/node/lean-express.adapter.js';
import { RequestContext } from '../http/request-context.js';
import { Clock } from '../model/clock.js';
import { CONFIG, type Config } from '../model/config.js';
import { TestMode } from './test-mode/test-mode.js';

/** The fastest levels, which still take twice the CPU time of the rest of a list; the defaults save a tenth of the bytes for
 * twice the time. The Brotli window is small, because the default takes 4 MiB per response in flight. */
const COMPRESSION: CompressionOptions = {
  threshold: 1024,
  level: constants.Z_BEST_SPEED,
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 } },
};

/** Configures an application: everything that a request passes before the guards, and the routes outside of controllers. */
export function configure(app: NestExpressApplication): void {
  patchSoleInterceptor();
  const clock = app.get(Clock);
  const config = app.get<Config>(CONFIG);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', config.trustProxy);

  const adapter = app.getHttpAdapter() as LeanExpressAdapter;
  const settlement = app.get(Settlement);
  adapter.createContext = () => new RequestContext(clock.now());
  // The key was not checked, so the request is recorded without a key: it is free and waits for no store.
  const reject: LeanExpressAdapter['reject'] = (request, response, reason) => {
    void settlement
      .settle(request, createErrorOutcome(request.context, reason))
      .then((reply) => adapter.reply(response, reply));
  };
  adapter.reject = reject;
  adapter.originHeaders = createOriginHeaders(config.corsOrigins);
  if (config.corsOrigins !== null) {
    const allowOrigins = createCrossOriginHandler(config.corsOrigins);
    app.use(allowOrigins);
    adapter.reject = (request, response, reason) => {
      allowOrigins(request as never, response as never, () => reject(request, response, reason));
    };
  }
  adapter.traffic.limitUploads(config.bodyTimeoutSeconds * 1000);

  const compress: RequestHandler = compression(COMPRESSION);
  const testMode = app.get(TestMode);
  app.use((request: ApiRequest, response: ApiResponse, next: NextFunction) => {
    // Not a middleware of its own, which would cost every request a microsecond.
    const handle = (): void => testMode.handle(request, response, next);
    if (request.headers['accept-encoding'] === undefined) handle();
    else compress(request as never, response as never, handle);
  });

  const document = createOpenApiDocument(app);
  app.get(ApiDescription).document = document;
  servePostman(app);
  const files = [
    ...createSharedFiles(document),
    ...createLandingPage(document),
    ...createGuidePage(document),
    ...createStatusPage(document),
    createErrorsPage(document),
    ...createReferencePage(document),
  ];
  servePageFiles(app, files);
  const routes = app.get(RouteTable);
  const paths = files.map(({ path }) => path);
  for (const path of [...paths, '/health/live', '/llms.txt', POSTMAN_PATH]) routes.add('GET', path);
  for (const [path, item] of Object.entries(document.paths)) {
    if (item.get !== undefined) routes.add('GET', path);
    if (item.post !== undefined) routes.add('POST', path);
  }
}
