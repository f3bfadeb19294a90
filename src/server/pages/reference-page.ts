import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { escapeHtml, filled, pageFile, protection, requestIdOf, serveFile } from './page-files.js';

/** What the page has beside Swagger UI's own files. */
const FILES = ['reference.css', 'reference.js'];

/** The page under its two kinds of address, with where the root is from there. */
const ADDRESSES: readonly (readonly [path: RegExp, root: string])[] = [
  [/^\/docs$/i, ''],
  [/^\/docs\/(index\.html)?$/i, '../'],
];

/**
 * Serves the description and Swagger UI over it, in a page of our own: that of the library has no viewport, and no place for
 * examples in other languages. No key: they hold nothing of the data. @returns their paths
 */
export function serveReferencePage(app: NestExpressApplication, document: OpenAPIObject): string[] {
  // Swagger UI sets styles of elements, and has pictures in its style sheet.
  const protect = protection({ styleSrc: ["'self'", "'unsafe-inline'"], imgSrc: ["'self'", 'data:'] });
  app.use('/docs', protect);
  app.use(['/docs', '/openapi.json'], (request: Request, response: Response, next: NextFunction) => {
    response.set({ 'X-Request-Id': requestIdOf(request), 'X-Content-Type-Options': 'nosniff' });
    next();
  });
  const page = pageFile('reference.html');
  const title = escapeHtml(document.info.title);
  for (const [path, root] of ADDRESSES) {
    serveFile(app, path, { name: 'reference.html', content: filled(page, { title, root }), protect });
  }
  for (const name of FILES) serveFile(app, `/docs/${name}`, { name, content: pageFile(name), protect });
  // Its own page and its settings are never asked for; its files and the document are.
  SwaggerModule.setup('docs', app, document, { raw: ['json'], jsonDocumentUrl: 'openapi.json' });
  return ['/docs', '/openapi.json'];
}
