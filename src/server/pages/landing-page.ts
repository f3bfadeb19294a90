import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { PLATFORMS } from '../../model/platforms.js';
import { escapeHtml, filled, pageFile, protection, serveFile } from './page-files.js';
import { priceTable } from './price-table.js';

/** What the page is made of, beside itself. */
const FILES = ['landing.css', 'landing.js', 'icon.svg'];

/** Serves the page at `/`: what this is, a key's limit and usage, first requests, prices. @returns its paths */
export function serveLandingPage(app: NestExpressApplication, document: OpenAPIObject): string[] {
  const protect = protection();
  const page = filled(pageFile('landing.html'), {
    title: escapeHtml(document.info.title),
    version: escapeHtml(document.info.version),
    platforms: PLATFORMS.map((platform) => `<li>${platform}</li>`).join('\n'),
    example_platform: PLATFORMS[0],
    prices: priceTable(document),
  });
  // As a text, it would take `//`, too.
  serveFile(app, /^\/$/, { name: 'landing.html', content: page, protect });
  for (const name of FILES) serveFile(app, `/${name}`, { name, content: pageFile(name), protect });
  return ['/', ...FILES.map((name) => `/${name}`)];
}
