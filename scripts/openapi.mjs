// @ts-check
// Writes the committed files that are generated from the API and the sample data: description, collection, clients. A test
// fails if they are stale.
import { run } from './prepare.mjs';

process.env.WRITE_GENERATED = 'yes';
const steps = [
  // Twice, because the document contains the examples that the first run records.
  ['npx', 'jest', 'test/e2e/openapi/generated'],
  ['npx', 'jest', 'test/e2e/openapi/generated'],
  [process.execPath, 'clients/generate.mjs'],
];
process.exit(steps.reduce((status, [program = '', ...args]) => status || run(program, args), 0));
