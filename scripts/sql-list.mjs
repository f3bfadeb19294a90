// @ts-check
// Writes docs/sql.json: every kind of statement that the end-to-end tests send to MySQL. Pass test names to add only their
// statements.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from './prepare.mjs';

const LIST = join(ROOT, 'docs/sql.json');

const tests = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'creator-data-sql-'));
process.env.WRITE_SQL_LIST = folder;
const status = run('npx', [
  'jest',
  '--selectProjects=e2e',
  '--testPathPatterns',
  ...(tests.length === 0 ? ['.'] : tests),
]);
const sent = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n'));
rmSync(folder, { recursive: true });
if (status !== 0) console.error('Tests failed, so the list could be incomplete. docs/sql.json is unchanged.');
else if (sent.length === 0) console.error('The tests sent nothing to MySQL. Is a server available?');
else {
  const before = tests.length === 0 ? [] : JSON.parse(readFileSync(LIST, 'utf8'));
  const list = [...new Set([...before, ...sent])].sort((a, b) => (a < b ? -1 : 1));
  writeFileSync(LIST, `${JSON.stringify(list, null, 2)}\n`);
  console.log(`docs/sql.json has ${list.length} kinds of statements.`);
}
process.exit(status === 0 && sent.length === 0 ? 1 : status);
