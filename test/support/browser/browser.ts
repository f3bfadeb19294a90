import { chromium, type Browser, type Page } from 'playwright-core';
import { CHROMIUM, CHROMIUM_ARGUMENTS } from './chromium.js';

/** A page open in a browser, with its requests and errors. */
export interface OpenPage {
  readonly page: Page;
  /** Origins of all requests of the page. */
  readonly origins: Set<string>;
  /** Console errors and exceptions. */
  readonly problems: string[];
}

export type Theme = 'light' | 'dark';

/** Starts the browser of this machine. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: String(CHROMIUM), args: CHROMIUM_ARGUMENTS });
}

/** Opens an address and waits until it is loaded. */
export async function openPage(
  browser: Browser,
  address: string,
  { width = 1280, theme = 'light' }: { readonly width?: number; readonly theme?: Theme } = {},
): Promise<OpenPage> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: theme });
  // A busy machine is slow, not wrong.
  page.setDefaultTimeout(120_000);
  const origins = new Set<string>();
  const problems: string[] = [];
  page.on('request', (request) => {
    const { origin } = new URL(request.url());
    // Images in a style sheet are `data:` URLs, which have no origin.
    if (origin !== 'null') origins.add(origin);
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.goto(address, { waitUntil: 'load' });
  return { page, origins, problems };
}

/** Returns by how many pixels the content is wider than the window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - window.innerWidth') as Promise<number>;
}

/** Finds the visible text with the lowest contrast to its background; WCAG 2 requires 4.5. @param within a selector */
export function lowestContrast(page: Page, within = 'body'): Promise<{ ratio: number; text: string }> {
  return page.evaluate(`(${CONTRAST})(${JSON.stringify(within)})`) as Promise<{ ratio: number; text: string }>;
}

/** Source text of a function that runs in the browser, because this project has no DOM types. */
const CONTRAST = `(within) => {
  const channels = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const groundOf = (element) => {
    if (element === null) {
      return getComputedStyle(document.documentElement).colorScheme.includes('dark') ? [18, 18, 18] : [255, 255, 255];
    }
    const [r, g, b, alpha = 1] = channels(getComputedStyle(element).backgroundColor);
    if (alpha === 1) return [r, g, b];
    return groundOf(element.parentElement).map((below, index) => below * (1 - alpha) + [r, g, b][index] * alpha);
  };
  let lowest = { ratio: 21, text: '' };
  for (const element of document.querySelectorAll(':is(' + within + ') *')) {
    const text = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data.trim()).join('');
    if (text === '' || !element.checkVisibility()) continue;
    const [a, b] = [luminance(channels(getComputedStyle(element).color).slice(0, 3)), luminance(groundOf(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < lowest.ratio) lowest = { ratio, text };
  }
  return lowest;
}`;
