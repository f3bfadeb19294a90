import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePackages } from './test/support/bundled-packages.mjs';

/** Packages published as ES modules only: jest runs CommonJS, so they are transformed. */
function esModulePackages() {
  const root = new URL('./node_modules', import.meta.url).pathname;
  const names = readdirSync(root).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(root, name)).map((inner) => `${name}/${inner}`) : [name],
  );
  return names.filter((name) => {
    try {
      return JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8')).type === 'module';
    } catch {
      return false; // no package of its own (.bin, .package-lock.json)
    }
  });
}

const base = {
  testEnvironment: 'node',
  moduleNameMapper: { ...(await bundlePackages()), '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        module: { type: 'commonjs' },
        jsc: {
          target: 'es2022',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
      },
    ],
    '^.+\\.m?js$': [
      '@swc/jest',
      { swcrc: false, module: { type: 'commonjs' }, jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esModulePackages().join('|')})/)`],
};

const faults = {
  ...base,
  displayName: 'faults',
  testMatch: [
    '<rootDir>/test/faults/**/*.fault-spec.ts',
    '<rootDir>/test/e2e/odd-values/{random,raw}.e2e-spec.ts',
    '<rootDir>/test/e2e/collect/empty-store.e2e-spec.ts',
  ],
};

const load = { ...base, displayName: 'load', testMatch: ['<rootDir>/test/faults/**/*.load-spec.ts'] };

export default {
  // Tests wait for stores and processes half of the time; drills measure times, so each has the machine to itself.
  maxWorkers: process.env.FAULTS === undefined ? 3 : 1,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  // A busy machine is slow, not wrong.
  testTimeout: 300_000,
  projects:
    process.env.FAULTS === undefined
      ? [
          { ...base, displayName: 'unit', testMatch: ['<rootDir>/src/**/*.spec.ts'] },
          {
            ...base,
            displayName: 'e2e',
            testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'],
            setupFilesAfterEnv: ['<rootDir>/test/support/sql/check-listed-sql.ts'],
          },
        ]
      : [process.env.FAULTS === 'load' ? load : faults],
};
