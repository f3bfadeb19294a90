import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createSecurityHeaders, readPageFile, serveFile } from './page-files.js';
import { renderPage } from './page-frame.js';

const FILES = ['guide.css', 'guide.js'];

/** Serves the guide, which `npm run openapi` renders from `docs/guide.md`. @returns the paths */
export function serveGuidePage(app: NestExpressApplication, document: OpenAPIObject): string[] {
  const protect = createSecurityHeaders();
  const guide = readPageFile('generated/guide.html');
  const content = renderPage('guide.html', document, { path: 'guide', root: '' }, { guide });
  // A regular expression, because the string would also match a trailing slash, which would break relative links.
  serveFile(app, /^\/guide$/i, { name: 'guide.html', content, protect });
  for (const name of FILES) serveFile(app, `/${name}`, { name, content: readPageFile(name), protect });
  return ['/guide', ...FILES.map((name) => `/${name}`)];
}
