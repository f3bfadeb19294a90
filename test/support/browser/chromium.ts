import { findBrowser } from '../../../scripts/requirements.mjs';

/** Path of the browser of this machine; null when there is none, and the tests report that. */
export const CHROMIUM: string | null = findBrowser();

/** Arguments for a machine without a display, which also keep the browser itself from using the network. */
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
