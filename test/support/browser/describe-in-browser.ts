import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { TestService } from '../service/test-service.js';
import { openBrowser } from './browser.js';
import { CHROMIUM } from './chromium.js';

/**
 * Describes pages in a browser, or says that there is none. The service has the embedded database, because pages do not
 * depend on it.
 */
export function describeInBrowser(
  title: string,
  tests: (service: () => TestService, browser: () => Browser) => void,
): void {
  if (CHROMIUM === null) {
    it(`${title} was not opened in a browser: this machine has no Chromium`, () => {
      expect(CHROMIUM).toBeNull();
    });
    return;
  }
  describe(`${title}, in a browser`, () => {
    let service: TestService;
    let browser: Browser;
    beforeAll(async () => {
      service = await TestService.start('sqlite');
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser.close();
      await service.stop();
    });
    tests(
      () => service,
      () => browser,
    );
  });
}
