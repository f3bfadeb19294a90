import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { lowestContrast, openBrowser, openPage, overflowOf } from '../../support/browser/browser.js';
import { aProfile } from '../../support/records/builders.js';
import { CHROMIUM } from '../../support/browser/chromium.js';
import { describeService, TestService } from '../../support/service/test-service.js';

/** Elements with text to read; Swagger UI sets the colours of its buttons. */
const READ = '.information-container, .opblock-summary-path, .opblock-description, .request-snippets, .top';

describeService('the page at /docs', (service) => {
  it.each(['/docs', '/docs/', '/docs/index.html'])('%s is HTML that needs no key', async (path) => {
    const { status, headers, text } = await service().get(path, { 'x-api-key': '' });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text.match(/(?:src|href)="(?:https?:)?\/\/[^"]*"/g)).toBeNull();
    expect(text).toContain('name="viewport" content="width=device-width');
    for (const [, link = ''] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const { pathname } = new URL(link, `${service().origin}${path}`);
      expect([pathname, (await service().get(pathname, { 'x-api-key': '' })).status]).toEqual([pathname, 200]);
    }
  });
});

if (CHROMIUM === null) {
  it('the page at /docs was not opened in a browser: this machine has no Chromium', () => {
    expect(CHROMIUM).toBeNull();
  });
} else {
  // The page does not depend on the database.
  describe('the page at /docs, in a browser', () => {
    const profile = aProfile({ display_name: 'Shown In The Browser' });
    let service: TestService;
    let browser: Browser;
    beforeAll(async () => {
      service = await TestService.start('sqlite');
      await service.load('profiles', profile);
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser.close();
      await service.stop();
    });

    const open = async (options: Parameters<typeof openPage>[2] = {}) => {
      const opened = await openPage(browser, `${service.origin}/docs`, options);
      await opened.page.locator('.opblock').first().waitFor();
      return opened;
    };

    /** Authorizes and executes `profiles.get`. @returns the operation, with its answer */
    async function tryOut(page: Page): Promise<Locator> {
      await page.getByRole('button', { name: 'Authorize' }).first().click();
      await page.locator('.auth-container input').fill(service.key);
      await page.locator('.auth-container button[type=submit]').click();
      await page.locator('.auth-container button.btn-done').click();
      const operation = page.locator('.opblock', {
        has: page.locator('[data-path="/platforms/{platform}/profiles/{profile_id}"]'),
      });
      await operation.locator('button.opblock-summary-control').click();
      await operation.getByRole('button', { name: 'Try it out' }).click();
      await operation.locator('tr[data-param-name=platform] select').selectOption('live_platform');
      await operation.locator('tr[data-param-name=profile_id] input').fill(profile.id);
      await operation.getByRole('button', { name: 'Execute' }).click();
      await operation.locator('.live-responses-table').waitFor();
      return operation;
    }

    it('lets people authorize with a key, try profiles.get out and see the 200, without a request to another origin', async () => {
      const { page, origins, problems } = await open({ width: 1280 });
      const answer = (await tryOut(page)).locator('.live-responses-table');
      expect(await answer.locator('tbody td.response-col_status').first().innerText()).toContain('200');
      expect(await answer.innerText()).toContain('Shown In The Browser');
      expect(await answer.innerText()).toContain('x-ratelimit-minute-remaining');
      expect(origins).toEqual(new Set([service.origin]));
      expect(problems).toEqual([]);
    });

    it('shows the same request in curl, JavaScript and Python, with the key', async () => {
      const { page } = await open();
      const snippets = (await tryOut(page)).locator('.request-snippets');
      for (const [language, start] of [
        ['curl', 'curl '],
        ['JavaScript', 'const response = await fetch('],
        ['Python', 'from urllib.request import'],
      ] as const) {
        await snippets.locator('.btn', { hasText: language }).click();
        const text = await snippets.innerText();
        expect(text).toContain(start);
        expect(text).toContain(`/platforms/live_platform/profiles/${profile.id}`);
        expect(text).toContain(service.key);
      }
    });

    it('leaves optional filters empty, so that a list is tried out on all data, and describes their examples', async () => {
      const { page } = await open();
      const operation = page.locator('.opblock-get', {
        has: page.locator('[data-path="/platforms/{platform}/profiles"]'),
      });
      await operation.locator('button.opblock-summary-control').click();
      await operation.getByRole('button', { name: 'Try it out' }).click();
      const row = (name: string) => operation.locator(`tr[data-param-name=${name}]`);
      for (const name of ['start_date', 'end_date', 'cursor']) {
        expect([name, await row(name).locator('input').inputValue()]).toEqual([name, '']);
        expect(await row(name).innerText()).toContain('Example: ');
      }
      expect(await row('limit').locator('input').inputValue()).toBe('');
      expect(await row('limit').innerText()).toContain('Default: 10');
    });

    it('begins with how to send the key, and links to the page at /', async () => {
      const { page } = await open();
      expect(await page.locator('.information-container').innerText()).toContain('x-api-key');
      await page.locator('.top .name').click();
      expect(await page.locator('h2').allInnerTexts()).toContain('Endpoints and prices');
    });

    const isDark = (page: Page) => page.evaluate(`document.documentElement.classList.contains('dark-mode')`);

    it('has one background and one font, and follows the system while it is open', async () => {
      const { page } = await open({ theme: 'dark' });
      const styles = (property: string, selectors: string) =>
        page.evaluate(
          `Array.from(document.querySelectorAll('${selectors}'), (each) => getComputedStyle(each).${property})`,
        ) as Promise<string[]>;
      expect(new Set(await styles('backgroundColor', 'html, body, .swagger-ui')).size).toBe(1);
      expect(await page.locator('.dark-mode-toggle').isVisible()).toBe(false);
      const texts = '.top, .begin, .info .title, .info li, .opblock-tag, .opblock-summary-description, .btn, .answers';
      expect(new Set(await styles('fontFamily', texts)).size).toBe(1);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.locator('html:not(.dark-mode)').waitFor();
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('html.dark-mode').waitFor();
    });

    it.each([
      [390, 'light'],
      [390, 'dark'],
      [1280, 'light'],
      [1280, 'dark'],
    ] as const)('fits a window of %d pixels in %s, also with an open operation', async (width, theme) => {
      const { page } = await open({ width, theme });
      // On a phone there is no room for it beside the path.
      expect(await page.locator('.opblock-summary-operation-id').first().isVisible()).toBe(width > 640);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      expect(await isDark(page)).toBe(theme === 'dark');
      await tryOut(page);
      const { ratio, text } = await lowestContrast(page, READ);
      expect([text, ratio >= 4.5]).toEqual([text, true]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    });
  });
}
