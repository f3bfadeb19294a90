import { expect, it } from '@jest/globals';
import documentOnDisk from '../../../docs/openapi.json' with { type: 'json' };
import { lowestContrast, openBrowser, openPage, overflowOf } from '../../support/browser/browser.js';
import { CHROMIUM } from '../../support/browser/chromium.js';
import { describeService, TestService } from '../../support/service/test-service.js';

const NO_KEY = { 'x-api-key': '' };
const CODES: readonly string[] = documentOnDisk.components.schemas.Error.properties.error.properties.code.enum;

describeService('the page at /docs/errors', (service) => {
  it('explains every code of the description, and those of /mcp, without a key', async () => {
    const { status, headers, text } = await service().get('/docs/errors', NO_KEY);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const explained = Array.from(text.matchAll(/<tr id="(\w+)">/g), ([, code]) => code);
    expect(explained).toEqual(expect.arrayContaining([...CODES, 'unknown_tool', 'session_credits_exceeded']));
    expect(explained).not.toContain('client_closed');
    expect(text).not.toContain('`');
  });

  it('is what `documentation_url` of an error leads to', async () => {
    for (const path of ['/nothing', '/usage?x=1', '/platforms/live_platform/profiles/none']) {
      const { error } = (await service().get(path)).body;
      const address = new URL(error.documentation_url as string, service().origin);
      const { status, text } = await service().get(address.pathname, NO_KEY);
      expect([status, address.hash]).toEqual([200, `#${error.code}`]);
      expect(text).toContain(`id="${error.code}"`);
    }
  });

  it('links to pages of this service only', async () => {
    const { text } = await service().get('/docs/errors', NO_KEY);
    const links = Array.from(text.matchAll(/(?:src|href)="([^"]+)"/g), ([, link = '']) => link);
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      const { origin, pathname } = new URL(link, `${service().origin}/docs/errors`);
      expect(origin).toBe(service().origin);
      expect([pathname, (await service().get(pathname, NO_KEY)).status]).toEqual([pathname, 200]);
    }
  });
});

if (CHROMIUM === null) {
  it('the page at /docs/errors was not opened in a browser: this machine has no Chromium', () => {
    expect(CHROMIUM).toBeNull();
  });
} else {
  it.each([
    [390, 'light'],
    [1280, 'dark'],
  ] as const)('the page at /docs/errors fits a window of %d pixels in %s', async (width, theme) => {
    const service = await TestService.start('sqlite');
    const browser = await openBrowser();
    try {
      const address = `${service.origin}/docs/errors#unknown_parameter`;
      const { page, problems } = await openPage(browser, address, { width, theme });
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      const { ratio, text } = await lowestContrast(page);
      expect([text, ratio >= 4.5]).toEqual([text, true]);
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
      await service.stop();
    }
  });
}
