import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { PLATFORMS } from '../../model/platforms.js';
import { createSecurityHeaders, escapeHtml, readPageFile, serveFile } from './page-files.js';
import { renderPage } from './page-frame.js';
import { renderPlatforms } from './platform-list.js';
import { renderPriceTable } from './price-table.js';
import { renderSampleCreator, SAMPLE_NAME } from './sample-creator.js';
import { renderSampleRequests } from './sample-requests.js';

const FILES = [
  'landing.css',
  'landing.js',
  'account.css',
  'account.js',
  'usage-chart.js',
  'sample-creator.css',
  'sample-creator.svg',
];

/** Serves the landing page, with a key's limit and usage, first requests and prices. @returns the paths */
export function serveLandingPage(app: NestExpressApplication, document: OpenAPIObject): string[] {
  const protect = createSecurityHeaders();
  const page = renderPage(
    'landing.html',
    document,
    { path: '', root: '' },
    {
      platforms: renderPlatforms(document),
      sample_name: escapeHtml(SAMPLE_NAME),
      sample_creator: renderSampleCreator(),
      sample_requests: renderSampleRequests(document),
      example_platform: PLATFORMS[0],
      prices: renderPriceTable(document),
    },
  );
  // A regular expression, because the string '/' would also match '//'.
  serveFile(app, /^\/$/, { name: 'landing.html', content: page, protect });
  for (const name of FILES) serveFile(app, `/${name}`, { name, content: readPageFile(name), protect });
  return ['/', ...FILES.map((name) => `/${name}`)];
}
