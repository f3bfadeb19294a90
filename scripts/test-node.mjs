// @ts-check
// Runs the suite with another version of Node.js, from npm: node scripts/test-node.mjs VERSION [JEST OPTION...]
import { execFileSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { run } from './prepare.mjs';

const [version = '', ...args] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version)) {
  console.error('Usage: npm run test:node -- VERSION [JEST OPTION...], for example: npm run test:node -- 24');
  process.exit(1);
}
const find = ['--yes', `--package=node@${version}`, 'node', '--print', 'process.execPath'];
const node = execFileSync('npx', find, { encoding: 'utf8' }).trim();
// Tests start further processes as `node`, so it must come first in PATH.
process.env.PATH = [dirname(node), process.env.PATH].join(delimiter);
console.error(`Node.js ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()} at ${node}`);
process.exit(run(node, ['scripts/test.mjs', ...args]));
