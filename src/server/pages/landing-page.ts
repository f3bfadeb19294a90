import type { OpenAPIObject } from '@nestjs/swagger';
import { ProfileSearchRequest } from '../../features/search/search.requests.js';
import { PLATFORMS } from '../../model/platforms.js';
import { computeCost } from '../../receipts/prices.js';
import { countOf } from '../../model/counts.js';
import { createSecurityHeaders, escapeHtml, readPageFiles, type PageFile } from './page-files.js';
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
  'find.css',
  'find.js',
  'languages.js',
];

/** Creates the landing page, with a key's limit and usage, first requests and prices. */
export function createLandingPage(document: OpenAPIObject): PageFile[] {
  // Pictures of creators are on the servers of their platforms.
  const protect = createSecurityHeaders({ imgSrc: ["'self'", 'https:'] });
  const content = renderPage(
    'landing.html',
    document,
    { path: '', root: '' },
    {
      platforms: renderPlatforms(document),
      sample_name: escapeHtml(SAMPLE_NAME),
      sample_creator: renderSampleCreator(),
      sample_requests: renderSampleRequests(document),
      example_platform: PLATFORMS[0],
      platform_options: PLATFORMS.map((platform) => `<option>${platform}</option>`).join('\n'),
      search_price: renderSearchPrice(),
      prices: renderPriceTable(document),
    },
  );
  return [{ path: '/', name: 'landing.html', content, protect }, ...readPageFiles(FILES, protect)];
}

/** Says what a search costs before it is sent. */
function renderSearchPrice(): string {
  const { limit } = new ProfileSearchRequest();
  const { quotaUnits } = computeCost('profiles.search', 200, limit, 0);
  const { credits } = computeCost('profiles.search', 200, 1, 1);
  return `Each page of up to ${limit} creators costs ${countOf(quotaUnits, 'unit')}, and ${countOf(credits, 'credit')} for each creator on it.`;
}
