import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import documentOnDisk from '../../../docs/openapi.json' with { type: 'json' };
import { IMPORT_KINDS } from '../../../src/operator/import/parse-line.js';
import { openBrowser, openPage } from '../../support/browser/browser.js';
import { CHROMIUM } from '../../support/browser/chromium.js';
import { ROOT } from '../../support/files/project-root.js';
import { describeService, TestService } from '../../support/service/test-service.js';

const TIMEOUT_MS = 180_000;
const MAX_HEIGHT = 3_000;

/** Statuses that only some endpoints answer with, so that they are described there. */
const OWN_STATUSES = ['200', '404'];

describeService('the page at /docs', (service) => {
  it('describes the answers and headers that endpoints share once', async () => {
    const { text } = await service().get('/docs', { 'x-api-key': '' });
    const rows = Array.from(text.matchAll(/<th scope="row">(?:<code>)?([\w-]+)/g), ([, name]) => name);
    const { paths, components } = documentOnDisk;
    const statuses = Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap(({ responses }: { responses: object }) => Object.keys(responses)),
    );
    const shared = [...new Set(statuses)].filter((status) => !OWN_STATUSES.includes(status));
    expect(rows).toEqual([...shared.sort(), ...Object.keys(components.headers)]);
    expect(text).toContain('href="docs/errors#rate_limit_exceeded"');
  });
});

if (CHROMIUM === null) {
  it('the endpoints at /docs were not opened in a browser: this machine has no Chromium', () => {
    expect(CHROMIUM).toBeNull();
  });
} else {
  // The page does not depend on the database.
  describe('every endpoint at /docs, in a browser', () => {
    let service: TestService;
    let browser: Browser;
    beforeAll(async () => {
      service = await TestService.start('sqlite');
      for (const kind of IMPORT_KINDS) {
        const lines = readFileSync(join(ROOT, 'sample-data', `${kind}.ndjson`), 'utf8').trimEnd();
        await service.loadLines(kind, lines.split('\n'));
      }
      browser = await openBrowser();
    }, TIMEOUT_MS);
    afterAll(async () => {
      await browser.close();
      await service.stop();
    });

    async function openEndpoints(): Promise<{ page: Page; endpoints: Locator[] }> {
      const { page } = await openPage(browser, service.origin);
      await page.getByLabel('API key').fill(service.key);
      await page.goto(`${service.origin}/docs`);
      await page.locator('.opblock').first().waitFor();
      return { page, endpoints: await page.locator('.opblock').all() };
    }

    const toggle = (endpoint: Locator) => endpoint.locator('button.opblock-summary-control').click();

    it(
      'is at most 3,000 pixels tall when it is open, and links to the shared answers',
      async () => {
        const { page, endpoints } = await openEndpoints();
        expect(endpoints.length).toBeGreaterThan(15);
        for (const endpoint of endpoints) {
          await toggle(endpoint);
          await endpoint.locator('.responses-table').waitFor();
          const height = (await endpoint.boundingBox())?.height ?? Number.POSITIVE_INFINITY;
          expect([await endpoint.getAttribute('id'), height <= MAX_HEIGHT]).toEqual([expect.any(String), true]);
          expect(await endpoint.getByRole('link', { name: 'Shared answers' }).innerText()).toContain('400, 401, 403');
          await toggle(endpoint);
        }
        await toggle(endpoints[0] as Locator);
        await page.getByRole('link', { name: 'Shared answers' }).click();
        expect(
          await page.evaluate('document.querySelector("#answers").getBoundingClientRect().top < innerHeight'),
        ).toBe(true);
      },
      TIMEOUT_MS,
    );

    it(
      'answers with sample data when it is executed with the values that are filled in',
      async () => {
        const { page, endpoints } = await openEndpoints();
        for (const endpoint of endpoints) {
          await toggle(endpoint);
          await endpoint.getByRole('button', { name: 'Try it out' }).click();
          const [answer] = await Promise.all([
            page.waitForResponse((response) => response.request().resourceType() === 'fetch'),
            endpoint.getByRole('button', { name: 'Execute' }).click(),
          ]);
          const { payload } = (await answer.json()) as { payload?: object };
          expect([answer.url(), answer.status(), Object.keys(payload ?? {}).length > 0]).toEqual([
            answer.url(),
            200,
            true,
          ]);
          await toggle(endpoint);
        }
      },
      TIMEOUT_MS,
    );
  });
}
