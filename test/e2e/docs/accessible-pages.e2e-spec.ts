import { beforeAll, expect, it } from '@jest/globals';
import { findAccessibilityProblems } from '../../support/browser/accessibility.js';
import { lowestContrast, openPage, overflowOf, type Theme } from '../../support/browser/browser.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';

const WINDOWS: readonly (readonly [width: number, theme: Theme])[] = [
  [390, 'light'],
  [390, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
];
const PAGES = ['/', '/ with a key', '/status', '/guide'];

describeInBrowser('for people with a phone, a keyboard or a screen reader', (service, browser) => {
  beforeAll(async () => {
    await service().get('/games/search?query=x');
  });

  it.each(PAGES.flatMap((name) => WINDOWS.map(([width, theme]) => ({ name, width, theme }))))(
    'the page $name has no serious problem in a window of $width pixels in $theme',
    async ({ name, width, theme }) => {
      const [path = ''] = name.split(' ');
      const { page, problems } = await openPage(browser(), service().origin + path, { width, theme });
      if (name !== path) {
        await page.getByLabel('API key').fill(service().key);
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
  );
});
