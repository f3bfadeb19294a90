import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { findAccessibilityProblems } from '../../support/browser/accessibility.js';
import { openBrowser, openPage } from '../../support/browser/browser.js';
import { CHROMIUM } from '../../support/browser/chromium.js';
import { TestService } from '../../support/service/test-service.js';

const TIMEOUT_MS = 60_000;

/** Opens an endpoint of /docs and executes it, so that the live response is examined, too. */
async function executeList(page: Page): Promise<void> {
  const operation = page.locator('.opblock-get', { has: page.locator('[data-path="/platforms/{platform}/profiles"]') });
  await operation.locator('button.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.locator('.live-responses-table').waitFor();
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
}

if (CHROMIUM === null) {
  it('the pages were not examined for accessibility: this machine has no Chromium', () => {
    expect(CHROMIUM).toBeNull();
  });
} else {
  // The pages do not depend on the database.
  describe.each(['/', '/docs', '/docs/errors'])('axe finds nothing serious on the page at %s', (path) => {
    let service: TestService;
    let browser: Browser;
    beforeAll(async () => {
      service = await TestService.start('sqlite');
      browser = await openBrowser();
    }, TIMEOUT_MS);
    afterAll(async () => {
      await browser.close();
      await service.stop();
    });

    it.each([
      [390, 'light'],
      [390, 'dark'],
      [1280, 'light'],
      [1280, 'dark'],
    ] as const)(
      'in a window of %d pixels in %s',
      async (width, theme) => {
        const { page } = await openPage(browser, `${service.origin}${path}`, { width, theme });
        if (path === '/docs') await executeList(page);
        expect(await findAccessibilityProblems(page)).toEqual([]);
      },
      TIMEOUT_MS,
    );
  });
}
