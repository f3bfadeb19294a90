// @ts-check
// Changes the pure modules, one fault at a time, and sees whether a unit test notices.
import jestConfig from './jest.config.js';

const [{ displayName: _name, ...unit }] = jestConfig.projects;

const MODULES = [
  'src/model/json-depth.ts',
  'src/receipts/allowances.ts',
  'src/receipts/prices.ts',
  'src/database/keyset.ts',
  'src/http/paging/cursor.ts',
  'src/http/request.params.ts',
  'src/http/validation/parameters.ts',
  'src/http/validation/request.pipe.ts',
  'src/http/paging/next-link.ts',
  'src/http/envelope/envelope.ts',
  'src/http/envelope/etag.ts',
  'src/http/envelope/hide-members.ts',
  'src/features/auth/caller-network.ts',
  'src/features/auth/key-format.ts',
  'src/features/changes/change-cursor.ts',
  'src/features/games/search-words.mjs',
  'src/features/quota/process-counters.ts',
  'src/model/origins.ts',
  'src/model/store-urls.ts',
  'src/server/agents/output-schema.ts',
  'src/server/agents/price-text.ts',
  'src/server/agents/tool-request.ts',
  'src/operator/import/parse-line.ts',
  'src/operator/usage/missing-keys.ts',
];

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'jest',
  jest: {
    projectType: 'custom',
    // Only the tests beside the modules: a fault in a constant needs all of them anew.
    config: { ...unit, testMatch: MODULES.map((file) => `**/${file.replace(/\.m?[jt]s$/, '{,.*}.spec.ts')}`) },
  },
  coverageAnalysis: 'perTest',
  mutate: MODULES,
  concurrency: 2,
  // A busy machine is slow to load a test, and what takes too long counts as noticed.
  timeoutMS: 60_000,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, reportTests: false },
  thresholds: { high: 100, low: 95, break: 90 },
  ignorePatterns: ['data', 'dist', 'bench'],
};
