import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { chromium } from 'playwright-core';
import { aProfile } from '../../support/builders.js';
import { CHROMIUM, CHROMIUM_ARGUMENTS } from '../../support/chromium.js';
import { describeService } from '../../support/service.js';

const TIMEOUT_MS = 60_000;

describeService('the page at /docs', (service) => {
  it('is HTML that needs no key, and asks for nothing from elsewhere', async () => {
    const { status, headers, text } = await service().get('/docs', { 'x-api-key': '' });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text.match(/(?:src|href)="(?:https?:)?\/\/[^"]*"/g)).toBeNull();
  });

  if (CHROMIUM === null) {
    it('was not opened in a browser: there is no chromium on this machine', () => {
      expect(CHROMIUM).toBeNull();
    });
    return;
  }

  it(
    'lets people authorize with a key, try profiles.get out and see the 200, in a browser, without a request to elsewhere',
    async () => {
      const profile = aProfile({ display_name: 'Shown In The Browser' });
      await service().load('profiles', profile);
      const browser = await chromium.launch({ executablePath: String(CHROMIUM), args: CHROMIUM_ARGUMENTS });
      try {
        const page = await browser.newPage({ viewport: { width: 1280, height: 1400 } });
        page.setDefaultTimeout(15_000);
        const requested: string[] = [];
        const problems: string[] = [];
        page.on('request', (request) => requested.push(new URL(request.url()).origin));
        page.on('pageerror', (error) => problems.push(String(error)));
        page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));

        await page.goto(`${service().origin}/docs`);
        await page.getByRole('button', { name: 'Authorize' }).first().click();
        await page.locator('.auth-container input').fill(service().key);
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

        const answer = operation.locator('.live-responses-table');
        await answer.waitFor();
        expect(await answer.locator('tbody td.response-col_status').first().innerText()).toContain('200');
        expect(await answer.innerText()).toContain('Shown In The Browser');
        expect(await answer.innerText()).toContain('x-ratelimit-minute-remaining');
        if (process.env.TEST_SCREENSHOTS !== undefined) {
          await page.screenshot({
            path: join(process.env.TEST_SCREENSHOTS, `docs-${service().dialect}.png`),
            fullPage: true,
          });
        }
        // Icons that Swagger UI carries in its style sheet are `data:`, and have no origin.
        expect(new Set(requested.filter((origin) => origin !== 'null'))).toEqual(new Set([service().origin]));
        expect(problems).toEqual([]);
      } finally {
        await browser.close();
      }
    },
    TIMEOUT_MS,
  );
});
