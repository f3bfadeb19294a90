import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage } from '../../support/browser/browser.js';
import { CHROMIUM } from '../../support/browser/chromium.js';
import { describeService, TestService } from '../../support/service/test-service.js';

const TIMEOUT_MS = 60_000;
const PAGES = ['/', '/docs', '/docs/errors', '/guide', '/status'];

const navigation = (text: string) => /<nav.*?<\/nav>/s.exec(text)?.[0] ?? '';
const linkTexts = (text: string) => Array.from(navigation(text).matchAll(/>([^<\n]+)<\/a>/g), ([, link]) => link);

describeService('the pages for people', (service) => {
  it('have the same navigation, which marks the page that is open', async () => {
    const texts = await Promise.all(PAGES.map(async (path) => (await service().get(path, { 'x-api-key': '' })).text));
    for (const text of texts) {
      expect(linkTexts(text)).toEqual(linkTexts(texts[0] ?? ''));
      expect(linkTexts(text)).toEqual(expect.arrayContaining(['API reference', 'Guide', 'Errors', 'Status']));
    }
    const marked = texts.map((text) => /aria-current="page">([^<]+)/.exec(text)?.[1]);
    expect(marked).toEqual([undefined, 'API reference', 'Errors', 'Guide', 'Status']);
  });
});

if (CHROMIUM === null) {
  it('the key was not shared between pages in a browser: this machine has no Chromium', () => {
    expect(CHROMIUM).toBeNull();
  });
} else {
  // The pages do not depend on the database.
  describe('the key, in a browser', () => {
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

    const stored = (page: Page) =>
      page.evaluate('[Object.values(localStorage), Object.values(sessionStorage), document.cookie]');

    async function authorize(page: Page, key: string): Promise<void> {
      await page.getByRole('button', { name: 'Authorize' }).first().click();
      await page.locator('.auth-container input').fill(key);
      await Promise.all([
        page.waitForResponse((response) => response.url().endsWith('/usage')),
        page.locator('.auth-container button[type=submit]').click(),
      ]);
    }

    /** Executes `usage.get` and returns the operation's text. */
    async function executeUsage(page: Page): Promise<string> {
      const operation = page.locator('.opblock', { has: page.locator('[data-path="/usage"]') });
      await operation.locator('button.opblock-summary-control').click();
      await operation.getByRole('button', { name: 'Try it out' }).click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      await operation.locator('.live-responses-table').waitFor();
      return operation.innerText();
    }

    it(
      'that was typed at / is used at /docs, also after a reload',
      async () => {
        const { page, problems } = await openPage(browser, service.origin);
        await page.getByLabel('API key').fill(service.key);
        await page.getByRole('link', { name: 'API reference' }).first().click();
        await page.reload();
        expect(await executeUsage(page)).toContain(service.key);
        expect(await stored(page)).toEqual([[], [service.key], '']);
        expect(problems).toEqual([]);
      },
      TIMEOUT_MS,
    );

    it(
      'that was given at /docs is in the field and the examples of /, until somebody logs out',
      async () => {
        const { page } = await openPage(browser, `${service.origin}/docs`);
        await authorize(page, service.key);
        expect(await stored(page)).toEqual([[], [service.key], '']);
        await page.goto(service.origin);
        expect(await page.getByLabel('API key').inputValue()).toBe(service.key);
        expect(await page.getByRole('tabpanel').innerText()).toContain(service.key);
        await page.goto(`${service.origin}/docs`);
        await page.getByRole('button', { name: 'Authorize' }).first().click();
        await page.locator('.auth-container').getByText('Logout').click();
        expect(await stored(page)).toEqual([[], [], '']);
      },
      TIMEOUT_MS,
    );

    it(
      'that the service rejects at / is not kept and not in examples',
      async () => {
        const { page } = await openPage(browser, service.origin);
        await page.getByLabel('API key').fill('cdk_wrong');
        await page.getByRole('button', { name: 'Check' }).click();
        await page.getByRole('status').filter({ hasText: 'not valid' }).waitFor();
        expect(await page.getByRole('tabpanel').innerText()).not.toContain('cdk_wrong');
        expect(await stored(page)).toEqual([[], [], '']);
      },
      TIMEOUT_MS,
    );

    it(
      'that the service rejects at /docs is reported at once and not kept',
      async () => {
        const { page } = await openPage(browser, `${service.origin}/docs`);
        await authorize(page, 'cdk_wrong');
        await page.locator('.auth-container').getByText('This key is not valid').waitFor();
        expect(await stored(page)).toEqual([[], [], '']);
      },
      TIMEOUT_MS,
    );

    it(
      'that was revoked after it was kept is forgotten when /docs uses it, and not in its examples',
      async () => {
        const { page } = await openPage(browser, service.origin);
        await page.getByLabel('API key').fill('cdk_revoked');
        await page.goto(`${service.origin}/docs`);
        const text = await executeUsage(page);
        expect(text).toContain('YOUR_KEY');
        expect(text).not.toContain('cdk_revoked');
        expect(await stored(page)).toEqual([[], [], '']);
      },
      TIMEOUT_MS,
    );
  });
}
