// @ts-check
// Copies everything that is needed to run to `dist/release`: the bundle, unbundled packages, the sample data, the prompts, and what an
// operator reads and installs.
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NOT_BUNDLED, ROOT } from './prepare.mjs';

const RELEASE = join(ROOT, 'dist/release');

rmSync(RELEASE, { recursive: true, force: true });
copy('package.json');
for (const page of ['LICENSE', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']) copy(page);
copyTree('docs', /./);
copyTree('deploy', /^(?!local\/)/);
copyTree('scripts', /^(first-start|health)\.mjs$/);
copyTree('dist/bundle', /^(?!.*\.map$)/);
copyTree('sample-data', /./);
copyTree('prompts', /./);
// `npm start` has nothing to install and to build there.
writeFileSync(join(RELEASE, 'scripts/start.mjs'), "import './first-start.mjs';\n");
// The documents link to these pages; the packages are files of their own.
for (const language of ['typescript', 'python']) copy(`clients/${language}/README.md`);
for (const [name, parts] of Object.entries(NOT_BUNDLED)) copyTree(join('node_modules', name), parts);

/**
 * @param {string} folder in the project
 * @param {RegExp} parts matches the paths, in the folder, of the files to copy
 */
function copyTree(folder, parts) {
  for (const entry of readdirSync(join(ROOT, folder), { recursive: true })) {
    const path = join(folder, String(entry));
    if (parts.test(String(entry)) && statSync(join(ROOT, path)).isFile()) copy(path);
  }
}

/** @param {string} path in the project */
function copy(path) {
  mkdirSync(dirname(join(RELEASE, path)), { recursive: true });
  cpSync(join(ROOT, path), join(RELEASE, path));
}
