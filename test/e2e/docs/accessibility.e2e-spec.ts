import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findAccessibilityProblems } from '../../support/browser/accessibility.js';
import { openPage } from '../../support/browser/browser.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';

/** Opens an endpoint of /docs and executes it, so that the live response is examined, too. */
async function executeList(page: Page): Promise<void> {
  const operation = page.locator('.opblock-get', { has: page.locator('[data-path="/platforms/{platform}/profiles"]') });
  await operation.locator('button.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.locator('.live-responses-table').waitFor();
  await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
}

for (const path of ['/docs', '/docs/errors']) {
  describeInBrowser(`axe finds nothing serious on the page at ${path}`, (service, browser) => {
    it.each([
      [390, 'light'],
      [390, 'dark'],
      [1280, 'light'],
      [1280, 'dark'],
    ] as const)('in a window of %d pixels in %s', async (width, theme) => {
      const { page } = await openPage(browser(), `${service().origin}${path}`, { width, theme });
      if (path === '/docs') await executeList(page);
      expect(await findAccessibilityProblems(page)).toEqual([]);
    });
  });
}
