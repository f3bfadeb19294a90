// @ts-check
// Runs `npm test`: installs missing packages and runs every test.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhatIsStale, installWhatIsMissing, run } from './prepare.mjs';
import { linesAbout, missingRequirements } from './requirements.mjs';

await installWhatIsMissing('to develop');
await buildWhatIsStale();

const folder = mkdtempSync(join(tmpdir(), 'creator-data-report-'));
const report = join(folder, 'jest.json');
const args = process.argv.slice(2);
let status = run('npx', ['jest', '--json', `--outputFile=${report}`, ...args]);
if (existsSync(report)) {
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
  for (const line of await leftOut()) console.log(line);
  // With options, jest counts the tests that are not selected as skipped.
  if (process.env.REQUIRE_ALL === '1' && args.length === 0 && numPendingTests > 0) {
    console.log('REQUIRE_ALL=1, but tests were skipped.');
    status ||= 1;
  }
  const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
  console.log(`Tests: ${numPassedTests} passed, ${numFailedTests} failed${skipped}`);
}
rmSync(folder, { recursive: true, force: true });
process.exit(status);

/** Describes the tests that are skipped because a store or tool is missing. */
async function leftOut() {
  // Imported late, because the packages that they need were just installed.
  const { findStores, linesAboutStores } = await import('./stores.mjs');
  const lines = [...linesAboutStores(await findStores(process.env)), ...linesAbout(missingRequirements())];
  return lines.length > 0 ? lines : ['Nothing was left out: embedded database, MySQL, Redis, browser, tools.'];
}
