import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { version } from '../../../src/model/version.js';
import { openPage } from '../../support/browser/browser.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { describeService } from '../../support/service/test-service.js';
import { exportedRecords } from '../../support/service/usage.js';

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

  it('state the versions of the API and of the release', async () => {
    for (const path of PAGES) {
      const { text } = await service().get(path, { 'x-api-key': '' });
      expect(text).toContain(`API 1.0.0, release ${version()}<`);
    }
  });

  it.each(['/docs/errors', '/guide', '/status'])('%s with a slash at the end leads to the page', async (path) => {
    const { status, headers } = await service().get(`${path}/`, { 'x-api-key': '' });
    expect(status).toBe(301);
    expect(new URL(String(headers.location), `http://host/prefix${path}/`).pathname).toBe(`/prefix${path}`);
  });
});

describeService('the files that browsers and crawlers request without a link', (service) => {
  const answerOf = async (path: string, headers: Record<string, string> = {}) => {
    const { status, headers: answered, text } = await service().get(path, { 'x-api-key': '', ...headers });
    return { status, type: answered['content-type'], text };
  };

  it('are the icon and a list of what crawlers may read, free and not recorded', async () => {
    const icon = await answerOf('/favicon.ico');
    expect([icon.status, icon.type]).toEqual([200, 'image/svg+xml']);
    const robots = await answerOf('/robots.txt');
    expect([robots.status, robots.type]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(robots.text).toBe(
      ['User-agent: *', 'Disallow: /platforms/', 'Disallow: /games/', 'Disallow: /usage', 'Disallow: /mcp', ''].join(
        '\n',
      ),
    );
    expect((await exportedRecords(service())).filter(({ key_id }) => key_id === null)).toEqual([]);
  });

  it('leave unknown addresses a 401, in JSON, also for a browser', async () => {
    const { status, type } = await answerOf('/apple-touch-icon.png', { accept: 'text/html' });
    expect([status, type]).toEqual([401, 'application/json; charset=utf-8']);
  });
});

describeInBrowser('the key on all pages', (service, browser) => {
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

  it('that was typed at / is used at /docs, also after a reload', async () => {
    const { page, problems } = await openPage(browser(), service().origin);
    await page.getByLabel('API key').fill(service().key);
    await page.getByRole('link', { name: 'API reference' }).first().click();
    await page.reload();
    expect(await executeUsage(page)).toContain(service().key);
    expect(await stored(page)).toEqual([[], [service().key], '']);
    expect(problems).toEqual([]);
  });

  it('that was given at /docs is in the field and the examples of /, until somebody logs out', async () => {
    const { page } = await openPage(browser(), `${service().origin}/docs`);
    await authorize(page, service().key);
    expect(await stored(page)).toEqual([[], [service().key], '']);
    await page.goto(service().origin);
    expect(await page.getByLabel('API key').inputValue()).toBe(service().key);
    expect(await page.getByRole('tabpanel').innerText()).toContain(service().key);
    await page.goto(`${service().origin}/docs`);
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('.auth-container').getByText('Logout').click();
    expect(await stored(page)).toEqual([[], [], '']);
  });

  it('that the service rejects at / is not kept and not in examples', async () => {
    const { page } = await openPage(browser(), service().origin);
    await page.getByLabel('API key').fill('cdk_wrong');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('status').filter({ hasText: 'not valid' }).waitFor();
    expect(await page.getByRole('tabpanel').innerText()).not.toContain('cdk_wrong');
    expect(await stored(page)).toEqual([[], [], '']);
  });

  it('that the service rejects at /docs is reported at once and not kept', async () => {
    const { page } = await openPage(browser(), `${service().origin}/docs`);
    await authorize(page, 'cdk_wrong');
    await page.locator('.auth-container').getByText('This key is not valid').waitFor();
    expect(await stored(page)).toEqual([[], [], '']);
  });

  it('that was revoked after it was kept is forgotten when /docs uses it, and not in its examples', async () => {
    const { page } = await openPage(browser(), service().origin);
    await page.getByLabel('API key').fill('cdk_revoked');
    await page.goto(`${service().origin}/docs`);
    const text = await executeUsage(page);
    expect(text).toContain('YOUR_KEY');
    expect(text).not.toContain('cdk_revoked');
    expect(await stored(page)).toEqual([[], [], '']);
  });
});
