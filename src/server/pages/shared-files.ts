import type { OpenAPIObject } from '@nestjs/swagger';
import { createSecurityHeaders, readPageFile, readPageFiles, type PageFile } from './page-files.js';
import { renderRobots } from './robots.js';

const FILES = ['page.css', 'content.css', 'code.css', 'examples.js', 'key.js', 'icon.svg'];

/** Creates the OpenAPI document, the files that all pages share, and those that browsers and crawlers request without a link. */
export function createSharedFiles(document: OpenAPIObject): PageFile[] {
  const protect = createSecurityHeaders();
  return [
    ...readPageFiles(FILES, protect),
    { path: '/openapi.json', name: 'openapi.json', content: JSON.stringify(document), protect },
    { path: '/favicon.ico', name: 'icon.svg', content: readPageFile('icon.svg'), protect },
    { path: '/robots.txt', name: 'robots.txt', content: renderRobots(document), protect },
  ];
}
