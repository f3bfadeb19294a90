import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openPage } from '../../support/browser/browser.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { lockUsage } from '../../support/stores/lock-usage.js';

const headline = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor();
const parts = async (page: Page) =>
  (await page.locator('#parts li').allInnerTexts()).map((text) => text.split('\n').slice(0, 2).join(': '));

describeInBrowser('the page at /status', (service, browser) => {
  it('says in words that everything works, without a key', async () => {
    const { page, origins, problems } = await openPage(browser(), `${service().origin}/status`);
    await headline(page, 'Everything works');
    expect(await parts(page)).toEqual([
      'Answering: Works',
      'Look-ups: Works',
      'Usage records: Works',
      'Capacity: Works',
      'Search for creators: Works',
    ]);
    expect(origins).toEqual(new Set([service().origin]));
    expect(problems).toEqual([]);
  });

  it('is served while a store is down, says which part does not work, and notices by itself when it is back', async () => {
    const unlock = await lockUsage(service().testDatabase);
    const { page } = await openPage(browser(), `${service().origin}/status`);
    try {
      await headline(page, 'Requests cannot be answered');
      expect(await parts(page)).toContain('Usage records: Does not work');
      expect(await parts(page)).toContain('Look-ups: Works');
    } finally {
      await unlock();
    }
    await page.getByText('Everything works').waitFor({ timeout: 40_000 });
    expect(await parts(page)).toContain('Usage records: Works');
  });

  it('says that the service does not answer once it is stopped', async () => {
    const stopped = await service().startSecond();
    const { page } = await openPage(browser(), `${stopped.origin}/status`);
    await headline(page, 'Everything works');
    await stopped.stop();
    await page.getByRole('button', { name: 'Check now' }).click();
    await headline(page, 'The service does not answer');
    expect(await parts(page)).toEqual(['Answering: Does not work']);
  });
});
