import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { renderHeaders, renderSharedAnswers } from './answers-table.js';
import { createSecurityHeaders, getRequestId, readPageFile, serveFile } from './page-files.js';
import { renderPage } from './page-frame.js';

const FILES = ['reference.css', 'reference.js'];

/** Paths of the page, each with the relative path to the root. */
const ADDRESSES: readonly (readonly [path: RegExp, root: string])[] = [
  [/^\/docs$/i, ''],
  [/^\/docs\/(index\.html)?$/i, '../'],
];

/**
 * Serves the OpenAPI document and a page with Swagger UI. The library's own page has no viewport, and no place for examples
 * in other languages. Public, because they contain no data. @returns the paths
 */
export function serveReferencePage(app: NestExpressApplication, document: OpenAPIObject): string[] {
  // Swagger UI uses inline styles, and pictures in its style sheet.
  const protect = createSecurityHeaders({ styleSrc: ["'self'", "'unsafe-inline'"], imgSrc: ["'self'", 'data:'] });
  app.use('/docs', protect);
  app.use(['/docs', '/openapi.json'], (request: Request, response: Response, next: NextFunction) => {
    response.set({ 'X-Request-Id': getRequestId(request), 'X-Content-Type-Options': 'nosniff' });
    next();
  });
  for (const [path, root] of ADDRESSES) {
    const content = renderPage(
      'reference.html',
      document,
      { path: 'docs', root },
      { answers: renderSharedAnswers(document, root), headers: renderHeaders(document) },
    );
    serveFile(app, path, { name: 'reference.html', content, protect });
  }
  for (const name of FILES) serveFile(app, `/docs/${name}`, { name, content: readPageFile(name), protect });
  // Registered last, so that the page above replaces the library's own. Its files and the document are served.
  SwaggerModule.setup('docs', app, document, { raw: ['json'], jsonDocumentUrl: 'openapi.json' });
  return ['/docs', '/openapi.json'];
}
