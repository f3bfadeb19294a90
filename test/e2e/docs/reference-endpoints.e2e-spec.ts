import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import documentOnDisk from '../../../docs/openapi.json' with { type: 'json' };
import { RECORD_KINDS } from '../../../src/operator/import/parse-line.js';
import { openBrowser, openPage } from '../../support/browser/browser.js';
import { CHROMIUM } from '../../support/browser/chromium.js';
import { ROOT } from '../../support/files/project-root.js';
import { until } from '../../support/until.js';
import { describeService, TestService } from '../../support/service/test-service.js';

const TIMEOUT_MS = 900_000;
const MAX_HEIGHT = 3_000;

describeService('the page at /docs', (service) => {
  it('describes the answers and headers that endpoints share once', async () => {
    const { text } = await service().get('/docs', { 'x-api-key': '' });
    const rows = Array.from(text.matchAll(/<th scope="row">(?:<code>)?([\w-]+)/g), ([, name]) => name);
    const { paths, components } = documentOnDisk;
    const shared = Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap(({ responses }: { responses: Record<string, object> }) =>
        Object.keys(responses).filter((status) => '$ref' in (responses[status] ?? {})),
      ),
    );
    expect(rows).toEqual([...new Set(shared.toSorted()), ...Object.keys(components.headers)]);
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
    let page: Page;
    const visits: Visit[] = [];
    beforeAll(async () => {
      service = await TestService.start('sqlite');
      for (const kind of RECORD_KINDS) {
        const lines = readFileSync(join(ROOT, 'sample-data', `${kind}.ndjson`), 'utf8').trimEnd();
        await service.loadLines(kind, lines.split('\n'));
      }
      browser = await openBrowser();
      ({ page } = await openPage(browser, service.origin));
      await page.getByLabel('API key').fill(service.key);
      await page.goto(`${service.origin}/docs`);
      await page.locator('.opblock').first().waitFor();
      for (const endpoint of await page.locator('.opblock').all()) visits.push(await visit(page, endpoint));
    }, TIMEOUT_MS);
    afterAll(async () => {
      await browser.close();
      await service.stop();
    });

    interface Visit {
      readonly id: string | null;
      readonly height: number;
      readonly sharedAnswers: string;
      readonly status: number;
      readonly members: number;
    }

    /** Opens an endpoint, executes it with the values that are filled in, and closes it. */
    async function visit(page: Page, endpoint: Locator): Promise<Visit> {
      const toggle = () => endpoint.locator('button.opblock-summary-control').click();
      await toggle();
      await endpoint.locator('.responses-table').waitFor();
      const id = await endpoint.getAttribute('id');
      const height = (await endpoint.boundingBox())?.height ?? Number.POSITIVE_INFINITY;
      const sharedAnswers = await endpoint.getByRole('link', { name: 'Shared answers' }).innerText();
      await endpoint.getByRole('button', { name: 'Try it out' }).click();
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.request().resourceType() === 'fetch'),
        endpoint.getByRole('button', { name: 'Execute' }).click(),
      ]);
      const { payload } = (await answer.json()) as { payload?: object };
      await toggle();
      return { id, height, sharedAnswers, status: answer.status(), members: Object.keys(payload ?? {}).length };
    }

    it('is at most 3,000 pixels tall when it is open, and links to the shared answers', () => {
      expect(visits.length).toBeGreaterThan(15);
      expect(visits.filter(({ height }) => height > MAX_HEIGHT)).toEqual([]);
      expect(visits.filter(({ sharedAnswers }) => !/400, 401, (402, )?403/.test(sharedAnswers))).toEqual([]);
    });

    it('answers with sample data when it is executed with the values that are filled in', () => {
      expect(visits.filter(({ status, members }) => status !== 200 || members === 0)).toEqual([]);
    });

    it('leads to the shared answers', async () => {
      await page.locator('.opblock button.opblock-summary-control').first().click();
      await page.getByRole('link', { name: 'Shared answers' }).click();
      const isInView = () =>
        page.evaluate<boolean>('document.querySelector("#answers").getBoundingClientRect().top < innerHeight');
      await until('the shared answers are in view', isInView);
      expect(await isInView()).toBe(true);
    });
  });
}
