import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { OpenAPIObject } from '@nestjs/swagger';
import { renderHeaders, renderSharedAnswers } from './answers-table.js';
import { createSecurityHeaders, readPageFiles, type PageFile } from './page-files.js';
import { renderPage } from './page-frame.js';

const FILES = ['reference.css', 'reference.js'];

const SWAGGER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js'];

/** Paths of the page, each with the relative path to the root. */
const ADDRESSES: readonly (readonly [path: string, root: string])[] = [
  ['/docs', ''],
  ['/docs/', '../'],
  ['/docs/index.html', '../'],
];

// Swagger UI uses inline styles, and pictures in its style sheet.
const protect = createSecurityHeaders({ styleSrc: ["'self'", "'unsafe-inline'"], imgSrc: ["'self'", 'data:'] });

/** Creates the page with Swagger UI. The library's own has no viewport, and no place for examples in other languages. */
export function createReferencePage(document: OpenAPIObject): PageFile[] {
  const pages = ADDRESSES.map(([path, root]) => {
    const values = { answers: renderSharedAnswers(document, root), headers: renderHeaders(document) };
    const content = renderPage('reference.html', document, { path: 'docs', root }, values);
    return { path, name: 'reference.html', content, protect };
  });
  return [...pages, ...readPageFiles(FILES, protect, '/docs/'), ...readSwaggerFiles()];
}

/** Reads the library's files. They are served from memory: a client that reads slowly would keep a file open. */
function readSwaggerFiles(): PageFile[] {
  const { resolve } = createRequire(import.meta.url);
  return SWAGGER_FILES.map((name) => {
    const content = readFileSync(resolve(`swagger-ui-dist/${name}`));
    return { path: `/docs/${name}`, name, content, protect };
  });
}
