// @ts-check
// Runs the fault drills (`npm run test:faults`): faults under load, each on its own stores. With FAULTS=load (`npm run
// test:load`), finds the load that the service can handle. Prints the findings as a table.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhatIsStale, installWhatIsMissing, run } from './prepare.mjs';

await installWhatIsMissing('to develop');
await buildWhatIsStale();

const folder = mkdtempSync(join(tmpdir(), 'creator-data-drills-'));
process.env.FAULTS ??= '1';
process.env.FAULTS_REPORT = join(folder, 'findings.ndjson');
const status = run('npx', ['jest', ...process.argv.slice(2)]);
if (existsSync(process.env.FAULTS_REPORT)) {
  const findings = readFileSync(process.env.FAULTS_REPORT, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const columns = [...new Set(findings.flatMap(Object.keys))];
  console.log(`| ${columns.join(' | ')} |\n|${columns.map(() => ' --- |').join('')}`);
  for (const finding of findings) console.log(`| ${columns.map((column) => finding[column] ?? '').join(' | ')} |`);
}
rmSync(folder, { recursive: true, force: true });
process.exit(status);
