// @ts-check
// Writes the committed files that are generated from the OpenAPI document and the sample data. A test fails if they are stale.
import { run } from './prepare.mjs';

process.env.WRITE_GENERATED = 'yes';
// Twice, because the document contains the examples that the first run records.
const status = run('npx', ['jest', 'test/e2e/openapi/generated']);
process.exit(status === 0 ? run('npx', ['jest', 'test/e2e/openapi/generated']) : status);
