// @ts-check
/** Builds the service with one optimisation switched off, in a copy of the tree under bench/.data/. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import ts from 'typescript';
import { PROJECT_FOLDER, WORK_FOLDER, run } from '../processes.mjs';
import { edited } from './switches.mjs';

const FOLDER = `${WORK_FOLDER}ablation/`;
const COPIED = ['src', 'migrations', 'scripts', 'tsconfig.json', 'tsconfig.build.json'];
const BASE = 'unchanged';

/** Builds the unchanged tree. @returns {Promise<string>} its folder */
export function buildUnchanged() {
  return build(BASE, sourceDigest(), async (folder) => {
    for (const name of COPIED) cpSync(PROJECT_FOLDER + name, folder + name, { recursive: true });
    const { name: _name, ...project } = JSON.parse(text('package.json'));
    // Without a name; otherwise jest would find two packages with the same name.
    writeFileSync(`${folder}package.json`, JSON.stringify(project, null, 2));
    await run('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: folder });
    // The service reads its pages from the folder of the compiled file, where only the bundler puts them.
    cpSync(`${folder}src/server/pages/assets`, `${folder}dist/src/server/pages/assets`, { recursive: true });
  });
}

/**
 * Builds the tree with an optimisation switched off.
 * @param {import('./switches.mjs').Switch} change @returns {Promise<string>} its folder
 */
export function buildWithout(change) {
  if (change.edits.length === 0) return buildUnchanged();
  const files = edited(change, text);
  return build(change.name, digest([sourceDigest(), JSON.stringify(change.edits)]), async (folder) => {
    cpSync(`${FOLDER}${BASE}`, folder, { recursive: true });
    for (const [file, content] of files) {
      writeFileSync(folder + file, content);
      const compiled = `${folder}dist/${file.replace(/\.ts$/, '.js')}`;
      writeFileSync(compiled, file.endsWith('.ts') ? transpiled(content) : content);
    }
  });
}

/** Builds a copy of the tree, unless an earlier run has built it. */
async function build(
  /** @type {string} */ name,
  /** @type {string} */ version,
  /** @type {(folder: string) => Promise<unknown>} */ compile,
) {
  const folder = `${FOLDER}${name}/`;
  const note = `${folder}.version`;
  if (existsSync(note) && readFileSync(note, 'utf8') === version) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await compile(folder);
  await run('node', ['scripts/bundle.mjs'], { cwd: folder });
  writeFileSync(note, version);
  return folder;
}

/** Compiles an edited file on its own. A test checks it with the others. */
function transpiled(/** @type {string} */ source) {
  const { config } = ts.readConfigFile(`${PROJECT_FOLDER}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, PROJECT_FOLDER);
  const compilerOptions = { ...options, module: ts.ModuleKind.ESNext, sourceMap: false };
  return ts.transpileModule(source, { compilerOptions }).outputText;
}

const text = (/** @type {string} */ file) => readFileSync(PROJECT_FOLDER + file, 'utf8');

const digest = (/** @type {string[]} */ parts) => createHash('sha256').update(parts.join('\0')).digest('hex');

function sourceDigest() {
  const files = COPIED.flatMap((name) =>
    name.includes('.')
      ? [name]
      : readdirSync(PROJECT_FOLDER + name, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => `${entry.parentPath}/${entry.name}`.slice(PROJECT_FOLDER.length)),
  );
  return digest(files.sort().flatMap((file) => [file, text(file)]));
}
