import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createSecurityHeaders, readPageFile, serveFile } from './page-files.js';
import { renderPage } from './page-frame.js';

const FILES = ['status.css', 'status.js'];

/** Serves a page that says what works. It reads no store, and its script asks `/health`. @returns the paths */
export function serveStatusPage(app: NestExpressApplication, document: OpenAPIObject): string[] {
  const protect = createSecurityHeaders();
  const content = renderPage('status.html', document, { path: 'status', root: '' });
  // A regular expression, because the string would also match a trailing slash, which would break relative links.
  serveFile(app, /^\/status$/i, { name: 'status.html', content, protect });
  for (const name of FILES) serveFile(app, `/${name}`, { name, content: readPageFile(name), protect });
  return ['/status', ...FILES.map((name) => `/${name}`)];
}
