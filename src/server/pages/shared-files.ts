import type { NestExpressApplication } from '@nestjs/platform-express';
import { createSecurityHeaders, readPageFile, serveFile } from './page-files.js';

const FILES = ['page.css', 'content.css', 'code.css', 'examples.js', 'key.js', 'icon.svg'];

/** Serves the files that all pages share. @returns the paths */
export function serveSharedFiles(app: NestExpressApplication): string[] {
  const protect = createSecurityHeaders();
  for (const name of FILES) serveFile(app, `/${name}`, { name, content: readPageFile(name), protect });
  return FILES.map((name) => `/${name}`);
}
