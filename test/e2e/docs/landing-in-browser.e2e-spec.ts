import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { lowestContrast, openBrowser, openPage, overflowOf } from '../../support/browser/browser.js';
import { aProfile } from '../../support/records/builders.js';
import { CHROMIUM } from '../../support/browser/chromium.js';
import { runForJson } from '../../support/service/command.js';
import { TestService } from '../../support/service/test-service.js';

const run = promisify(execFile);

const figure = (page: Page, id: string) => page.locator(`#${id}`).innerText();
const example = async (page: Page, language: string): Promise<string> => {
  await page.getByRole('tab', { name: language, exact: true }).click();
  return page.getByRole('tabpanel').innerText();
};

/** Enters the key and waits for the answer. */
async function check(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/usage')),
    page.getByRole('button', { name: 'Check' }).click(),
  ]);
}

if (CHROMIUM === null) {
  it('the page at / was not opened in a browser: this machine has no Chromium', () => {
    expect(CHROMIUM).toBeNull();
  });
} else {
  // The page does not depend on the database.
  describe('the page at /, in a browser', () => {
    let started: TestService;
    let browser: Browser;
    const service = () => started;
    beforeAll(async () => {
      started = await TestService.start('sqlite');
      await started.load('profiles', aProfile({ name: 'shown_by_examples' }));
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser.close();
      await started.stop();
    });

    it('shows the limit and the usage of a key, and keeps the key in this tab only', async () => {
      const { key } = await service().newKey(25);
      await service().get('/platforms/live_platform/profiles?limit=7', { 'x-api-key': key });
      const { page, origins, problems } = await openPage(browser, service().origin);
      await check(page, key);
      await page.locator('#account').waitFor();
      expect([await figure(page, 'limit'), await figure(page, 'remaining')]).toEqual(['25', '23']);
      const used = await Promise.all(['requests', 'quota_units', 'credits'].map((id) => figure(page, id)));
      expect(used).toEqual(['1', '7', '0']);
      await page.getByText('By operation').click();
      expect(await page.locator('#by-operation tbody tr').innerText()).toBe('profiles.list\t1\t7\t0');
      const kept = await page.evaluate(
        '[localStorage.length, Object.values(sessionStorage), document.cookie, location.href]',
      );
      expect(kept).toEqual([0, [key], '', `${service().origin}/`]);
      expect(origins).toEqual(new Set([service().origin]));
      expect(problems).toEqual([]);
    });

    it('shows what is left of a month allowance, as a bar', async () => {
      const created = ['keys', 'create', '--name', 'bar', '--month-units', '25'];
      const { key } = await runForJson(service().testDatabase, ...created);
      await service().get('/platforms/live_platform/profiles?limit=21', { 'x-api-key': key });
      const { page, problems } = await openPage(browser, service().origin);
      await check(page, key);
      const bar = page.getByLabel('4 of 25 quota units left');
      await bar.waitFor();
      const shown = '(({ value, max }) => [value, max])(document.querySelector("#allowance meter"))';
      expect(await page.evaluate(shown)).toEqual([4, 25]);
      expect(await page.locator('#allowance p').innerText()).toMatch(/^A new month starts on \w+ 1 \(UTC\)\.$/);
      await check(page, (await service().newKey()).key);
      await page.locator('#allowance').waitFor({ state: 'hidden' });
      expect(problems).toEqual([]);
    });

    it('shows the usage of the month by day, as a chart and as a table', async () => {
      const { key } = await service().newKey();
      const today = new Date();
      for (const limit of [7, 5]) {
        await service().get(`/platforms/live_platform/profiles?limit=${limit}`, { 'x-api-key': key });
      }
      const { page, problems } = await openPage(browser, service().origin);
      await check(page, key);
      const chart = page.getByRole('figure', { name: /Most requests on .* 2\. Days are UTC/ });
      await chart.waitFor();
      const heights = '[...document.querySelectorAll(".days i")].map(({ style }) => style.height)';
      const drawn = (await page.evaluate(heights)) as string[];
      const daysOfMonth = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 0)).getUTCDate();
      expect(drawn).toHaveLength(daysOfMonth);
      expect(drawn.map((height, index) => [index + 1, height]).filter(([, height]) => height !== '0%')).toEqual([
        [today.getUTCDate(), '100%'],
      ]);
      await page.getByText('By day').click();
      expect(await page.locator('#by-day tbody tr').innerText()).toMatch(/^\w+ \d+\t2\t12\t0$/);
      await page.getByRole('radio', { name: 'Credits' }).press('Space');
      await page.getByRole('figure', { name: 'No credits this month.' }).waitFor();
      expect(problems).toEqual([]);
    });

    it('shows the usage of a key that the tab already has', async () => {
      const { page } = await openPage(browser, service().origin);
      await page.getByLabel('API key').fill(service().key);
      await page.reload();
      await page.locator('#account').waitFor();
      expect(await page.getByLabel('API key').inputValue()).toBe(service().key);
    });

    it('draws the underscore of a key whole, also in the placeholder', async () => {
      const { page } = await openPage(browser, service().origin);
      const field = page.getByLabel('API key');
      const pictures = async (text: string) => {
        await field.fill('');
        await page.evaluate(`document.getElementById('key').placeholder = ${JSON.stringify(text)}`);
        await field.blur();
        const placeholder = await field.screenshot();
        await field.fill(text);
        await field.blur();
        return [placeholder, await field.screenshot()] as const;
      };
      const [underscore, blank] = [await pictures('_'), await pictures(' ')];
      expect(underscore.map((picture, index) => picture.equals(blank[index] ?? picture))).toEqual([false, false]);
    });

    it('opens one request of the sample creator at a time, with the keyboard', async () => {
      const { page } = await openPage(browser, service().origin);
      const opened = () => page.locator('.requests details[open] summary strong').allInnerTexts();
      expect(await opened()).toEqual(['Profile']);
      await page.locator('summary', { hasText: 'Audience' }).focus();
      await page.keyboard.press('Enter');
      expect(await opened()).toEqual(['Audience']);
      const command = await page.locator('.requests details[open] pre.request').innerText();
      expect(command).toContain(`${service().origin}/platforms/`);
    });

    it('reports a wrong key, and shows no figures', async () => {
      const { page } = await openPage(browser, service().origin);
      await check(page, 'wrong');
      await page.getByRole('status').filter({ hasText: 'This key is not valid' }).waitFor();
      expect(await page.locator('#account').isVisible()).toBe(false);
    });

    describe('the examples', () => {
      it.each([
        ['curl', 'sh', '-c'],
        ['JavaScript', process.execPath, '--input-type=module', '-e'],
        ['Python', 'python3', '-c'],
      ])('%s, with the key filled in, runs and shows data', async (language, program, ...args) => {
        const { page } = await openPage(browser, service().origin);
        await page.getByLabel('API key').fill(service().key);
        const text = await example(page, language);
        expect(text).toContain(service().key);
        const { stdout } = await run(program, [...args, text]);
        expect(stdout).toContain('shown_by_examples');
      });

      it('never contain a text that cannot be a key, because they are pasted into shells', async () => {
        const { page } = await openPage(browser, service().origin);
        await page.getByLabel('API key').fill("'; touch /tmp/pwned; '");
        expect(await example(page, 'curl')).toContain('x-api-key: YOUR_KEY');
        expect(await example(page, 'curl')).not.toContain('touch');
      });

      it('can be chosen with the arrow keys', async () => {
        const { page } = await openPage(browser, service().origin);
        await page.getByRole('tab', { name: 'curl' }).focus();
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('ArrowRight');
        expect(await page.getByRole('tabpanel').innerText()).toContain('from urllib.request');
        await page.keyboard.press('ArrowRight');
        expect(await page.getByRole('tabpanel').innerText()).toContain('curl -s');
      });
    });

    it.each([
      [390, 'light'],
      [390, 'dark'],
      [1280, 'light'],
      [1280, 'dark'],
    ] as const)('fits a window of %d pixels and is readable in %s', async (width, theme) => {
      const { page, problems } = await openPage(browser, service().origin, { width, theme });
      await check(page, service().key);
      await page.locator('#account').waitFor();
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      const { ratio, text } = await lowestContrast(page);
      expect([text, ratio >= 4.5]).toEqual([text, true]);
      expect(problems).toEqual([]);
    });
  });
}
