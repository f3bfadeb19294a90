import { findBrowser } from '../../../scripts/requirements.mjs';

/** The browser of this machine; null where there is none, and then the test of the page says so. */
export const CHROMIUM: string | null = findBrowser();

/** For a machine without a display, and so that the browser itself asks nothing of the network. */
export const CHROMIUM_ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
