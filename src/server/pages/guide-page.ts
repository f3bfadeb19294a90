import type { OpenAPIObject } from '@nestjs/swagger';
import { createSecurityHeaders, readPageFile, readPageFiles, type PageFile } from './page-files.js';
import { renderPage } from './page-frame.js';

const FILES = ['guide.css', 'guide.js'];

/** Creates the guide, which `npm run openapi` renders from `docs/guide.md`. */
export function createGuidePage(document: OpenAPIObject): PageFile[] {
  const protect = createSecurityHeaders();
  const guide = readPageFile('generated/guide.html');
  const content = renderPage('guide.html', document, { path: 'guide', root: '' }, { guide });
  return [{ path: '/guide', name: 'guide.html', content, protect }, ...readPageFiles(FILES, protect)];
}
