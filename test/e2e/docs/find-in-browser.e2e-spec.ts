import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findAccessibilityProblems } from '../../support/browser/accessibility.js';
import { openPage, overflowOf } from '../../support/browser/browser.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { aProfile } from '../../support/records/builders.js';

const status = (page: Page) => page.locator('#find-status');
const results = (page: Page) => page.locator('#find-results li');

describeInBrowser('the search for creators on the page at /', (service, browser) => {
  beforeAll(async () => {
    const creators = Array.from({ length: 12 }, (_, index) =>
      aProfile({
        name: `found_${index}`,
        display_name: `Found ${index}`,
        language: index === 3 ? 'de' : 'en',
        url: index === 1 ? 'javascript:alert(1)' : `https://creators.example/${index}`,
        statistics: { followers: 1000 - index, views_estimated: null },
      }),
    );
    await service().load('profiles', ...creators);
    await service().untilSearchable();
  });

  const open = async (width: number) => {
    const opened = await openPage(browser(), service().origin, { width });
    await opened.page.getByLabel('API key').fill(service().key);
    return opened;
  };

  it('shows creators with name, followers and language, the cost, and the next ones, by keyboard alone', async () => {
    const { page, problems } = await open(390);
    await page.getByLabel('Words').fill('found');
    await page.keyboard.press('Enter');
    await page.getByText('12 creators found, 10 shown. This search cost 10 units and 10 credits.').waitFor();
    expect(await results(page).first().innerText()).toMatch(/Found 0\s+@found_0\s+1,000 followers · English/);
    await page.getByRole('button', { name: 'Show more' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('12 creators found, 12 shown. This search cost 20 units and 12 credits.').waitFor();
    expect(await page.evaluate('document.activeElement.innerText')).toMatch(/^F\s+Found 10/);
    expect(await page.getByRole('button', { name: 'Show more' }).isVisible()).toBe(false);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(problems).toEqual([]);
  });

  it('links each creator to the profile on the platform, and never to a script', async () => {
    const { page } = await open(1280);
    await page.getByLabel('Words').fill('found');
    await page.keyboard.press('Enter');
    await page.getByText('12 creators found').waitFor();
    const targets = await results(page).evaluateAll((items) => items.map((item) => item.querySelector('a')?.href));
    expect(targets.slice(0, 3)).toEqual(['https://creators.example/0', undefined, 'https://creators.example/2']);
  });

  it('applies the filters', async () => {
    const { page } = await open(1280);
    await page.getByLabel('Languages').fill('german, FR');
    await page.getByLabel('Followers from').fill('900');
    await page.getByLabel('Sorted by').selectOption('last_active_at');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('1 creator found, 1 shown.').waitFor();
    expect(await results(page).innerText()).toContain('Found 3');
  });

  it('says what a search costs before it is sent, and in short that nobody was found', async () => {
    const { page } = await open(1280);
    await page
      .getByText('Each page of up to 10 creators costs 10 units, and 1 credit for each creator on it.')
      .waitFor();
    await page.getByLabel('Words').fill('nobodyhasthisname');
    await page.getByRole('button', { name: 'Search' }).click();
    await status(page).getByText('No creator found').waitFor();
    expect(await status(page).innerText()).toBe('No creator found. This search cost 10 units and 0 credits.');
  });

  it('takes languages by name, which includes regions, or by code, and rejects anything else without a request', async () => {
    const { page, problems } = await open(1280);
    await page.getByLabel('Languages').focus();
    const searches: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/profiles/search')) searches.push(request.postData() ?? '');
    });
    await page.keyboard.press('Enter');
    await status(page).getByText('12 creators found').waitFor();
    searches.length = 0;
    await page.getByLabel('Languages').fill('germn, Scottish Gaelic');
    await page.keyboard.press('Enter');
    const problem = 'Unknown language: germn. Give names such as German, or codes such as de.';
    await status(page).getByText(problem).waitFor();
    expect([searches, await results(page).count()]).toEqual([[], 0]);
    await page.getByLabel('Languages').fill('German Scottish Gaelic, Scottish Gaelic, pt-br  English other');
    await page.keyboard.press('Enter');
    await status(page).getByText('Unknown language: Scottish, Gaelic.').waitFor();
    await page.getByLabel('Languages').fill('German, Scottish Gaelic, pt-br  English other');
    await page.keyboard.press('Enter');
    await status(page).getByText('found').waitFor();
    expect(searches.map((body) => JSON.parse(body).filters.language)).toEqual([
      ['de', 'gd', 'pt-br', 'en', 'en-us', 'en-gb', 'en-ca', 'en-au', 'en-in', 'other'],
    ]);
    expect(problems).toEqual([]);
  });

  it('has fields of one height, level with those beside them', async () => {
    const { page } = await open(1280);
    const fields = page.locator('#find-form :is(input:not([type=checkbox]), select)');
    const boxes = await Promise.all((await fields.all()).map((field) => field.boundingBox()));
    expect(new Set(boxes.map((box) => box?.height))).toEqual(new Set([44]));
    // Two lines of fields at this width.
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(2);
  });

  it('says what is wrong: no key, or filters that contradict each other', async () => {
    const { page } = await openPage(browser(), service().origin, { width: 1280 });
    await page.getByRole('button', { name: 'Search' }).click();
    expect(await status(page).innerText()).toBe('Give a key first, above.');
    await page.getByLabel('API key').fill(service().key);
    await page.getByLabel('Followers from').fill('9');
    await page.getByLabel('Followers to').fill('1');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('filters.followers.min must not be more than filters.followers.max').waitFor();
  });
});
