import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { openPage, overflowOf } from '../../support/browser/browser.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { ROOT } from '../../support/files/project-root.js';
import { describeService } from '../../support/service/test-service.js';

const NO_KEY = { 'x-api-key': '' };
const sections = Array.from(
  readFileSync(join(ROOT, 'docs/guide.md'), 'utf8').matchAll(/^## (.+)$/gm),
  ([, title]) => title,
);

describeService('the page at /guide', (service) => {
  it('has every section of docs/guide.md, and lists them', async () => {
    const { status, headers, text } = await service().get('/guide', NO_KEY);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const titles = Array.from(text.matchAll(/<h2 id="([^"]+)">([^<]+)<\/h2>/g), ([, id, title]) => ({ id, title }));
    expect(titles.map(({ title }) => title)).toEqual(sections);
    for (const { id, title } of titles) expect(text).toContain(`<li><a href="#${id}">${title}</a></li>`);
  });

  it('links to pages of this service only', async () => {
    const { text } = await service().get('/guide', NO_KEY);
    const links = Array.from(text.matchAll(/(?:src|href)="([^"#]+)"/g), ([, link = '']) => link);
    expect(links).toEqual(expect.arrayContaining(['docs', 'docs/errors', 'openapi.json']));
    for (const link of new Set(links)) {
      const { origin, pathname } = new URL(link, `${service().origin}/guide`);
      expect(origin).toBe(service().origin);
      expect([pathname, (await service().get(pathname, NO_KEY)).status]).toEqual([pathname, 200]);
    }
  });
});

describeInBrowser('the page at /guide', (service, browser) => {
  it('has commands for this service, to copy', async () => {
    const { page, problems } = await openPage(browser(), `${service().origin}/guide`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const command = await page.locator('pre.command').first().innerText();
    expect(command).toContain(`export BASE="\${BASE:-${service().origin}}"`);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(command);
    expect(problems).toEqual([]);
  });

  it('names the language of each block of code, and keeps blocks apart; long lines scroll within', async () => {
    const { page } = await openPage(browser(), `${service().origin}/guide`, { width: 390 });
    const labels = await page.locator('.block .language').allInnerTexts();
    expect(labels).toHaveLength(await page.locator('pre.command').count());
    expect(new Set(labels)).toEqual(new Set(['Shell', 'JavaScript', 'TypeScript', 'Python']));
    const boxOf = async (language: string) => {
      const box = await page.locator('.block', { has: page.getByLabel(language) }).boundingBox();
      return box ?? { y: NaN, height: NaN };
    };
    const [first, second] = [await boxOf('TypeScript'), await boxOf('Python')];
    expect(second.y - first.y - first.height).toBeGreaterThanOrEqual(16);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  });
});
