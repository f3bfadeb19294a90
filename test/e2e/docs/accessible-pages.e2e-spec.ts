import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { findAccessibilityProblems } from '../../support/browser/accessibility.js';
import { lowestContrast, openBrowser, openPage, overflowOf, type Theme } from '../../support/browser/browser.js';
import { CHROMIUM } from '../../support/browser/chromium.js';
import { TestService } from '../../support/service/test-service.js';

const TIMEOUT_MS = 60_000;
const WINDOWS: readonly (readonly [width: number, theme: Theme])[] = [
  [390, 'light'],
  [390, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
];
const PAGES = ['/', '/ with a key', '/status', '/guide'];

if (CHROMIUM === null) {
  it('no page was opened in a browser: this machine has no Chromium', () => {
    expect(CHROMIUM).toBeNull();
  });
} else {
  // The pages do not depend on the database.
  describe('for people with a phone, a keyboard or a screen reader', () => {
    let service: TestService;
    let browser: Browser;
    beforeAll(async () => {
      service = await TestService.start('sqlite');
      await service.get('/games/search?query=x');
      browser = await openBrowser();
    }, TIMEOUT_MS);
    afterAll(async () => {
      await browser.close();
      await service.stop();
    });

    it.each(PAGES.flatMap((name) => WINDOWS.map(([width, theme]) => ({ name, width, theme }))))(
      'the page $name has no serious problem in a window of $width pixels in $theme',
      async ({ name, width, theme }) => {
        const [path = ''] = name.split(' ');
        const { page, problems } = await openPage(browser, service.origin + path, { width, theme });
        if (name !== path) {
          await page.getByLabel('API key').fill(service.key);
          await page.getByRole('button', { name: 'Check' }).click();
          await page.getByRole('figure').waitFor();
          await page.getByText('By day').click();
        }
        if (path === '/status') await page.getByText('Everything works').waitFor();
        expect(await findAccessibilityProblems(page)).toEqual([]);
        expect(await overflowOf(page)).toBeLessThanOrEqual(0);
        const { ratio, text } = await lowestContrast(page);
        expect([text, ratio >= 4.5]).toEqual([text, true]);
        expect(problems).toEqual([]);
        await page.close();
      },
      TIMEOUT_MS,
    );
  });
}
