// @ts-check
// Changes the pure modules, one fault at a time, and sees whether a unit test notices.
import jestConfig from './jest.config.js';

const [{ displayName: _name, ...unit }] = jestConfig.projects;

const MODULES = [
  'src/receipts/prices.ts',
  'src/http/paging/cursor.ts',
  'src/http/paging/next-link.ts',
  'src/http/envelope/envelope.ts',
  'src/http/envelope/etag.ts',
  'src/http/envelope/hide-members.ts',
  'src/features/auth/key-format.ts',
  'src/features/games/search-words.mjs',
  'src/features/quota/process-counters.ts',
];

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'jest',
  jest: {
    projectType: 'custom',
    // Only the tests beside the modules: a fault in a constant needs all of them anew.
    config: { ...unit, testMatch: MODULES.map((file) => `**/${file.replace(/\.m?[jt]s$/, '.spec.ts')}`) },
  },
  coverageAnalysis: 'perTest',
  mutate: MODULES,
  concurrency: 2,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, reportTests: false },
  thresholds: { high: 100, low: 95, break: 90 },
  ignorePatterns: ['data', 'dist', 'bench'],
};
