import type { OpenAPIObject } from '@nestjs/swagger';
import { createSecurityHeaders, readPageFiles, type PageFile } from './page-files.js';
import { renderPage } from './page-frame.js';

const FILES = ['status.css', 'status.js'];

/** Creates a page that says what works. It reads no store, and its script asks `/health`. */
export function createStatusPage(document: OpenAPIObject): PageFile[] {
  const protect = createSecurityHeaders();
  const content = renderPage('status.html', document, { path: 'status', root: '' });
  return [{ path: '/status', name: 'status.html', content, protect }, ...readPageFiles(FILES, protect)];
}
