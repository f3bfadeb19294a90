// @ts-check
// Writes what is made from the API's description and the sample data, and is committed; a test fails when it is out of date.
import { run } from './prepare.mjs';

process.env.WRITE_GENERATED = 'yes';
// Twice: the service carries the examples that the first run finds.
const status = run('npx', ['jest', 'test/e2e/openapi/generated']);
process.exit(status === 0 ? run('npx', ['jest', 'test/e2e/openapi/generated']) : status);
