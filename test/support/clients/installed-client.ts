import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { findPython } from '../../../scripts/requirements.mjs';
import { ROOT } from '../files/project-root.js';
import { present } from '../present.js';

export type Language = 'TypeScript' | 'Python';

/** Interpreter that can build a package; null when there is none, and the tests are skipped. */
export const PYTHON: string | null = findPython();

/** Languages whose client this machine can test. */
export const LANGUAGES: readonly Language[] = PYTHON === null ? ['TypeScript'] : ['TypeScript', 'Python'];

/** Options of a client, as a driver takes them. */
export interface DriverOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
  readonly maxRetryWaitMs?: number;
  readonly hasCache?: boolean;
  readonly testAnswer?: string;
}

/** A call of a method of the client. */
export interface Call {
  /** Group and method in TypeScript's spelling, such as `profiles.listAll`. */
  readonly method: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
  /** Passes the answer of the last call as `previous`. */
  readonly usesLast?: boolean;
  /** TypeScript only. */
  readonly abortAfterMs?: number;
}

/** Result of a call; exactly one member. */
export interface Reply {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests say what they expect of each member
  readonly answer?: any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- likewise
  readonly error?: any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- likewise
  readonly items?: any[];
}

const run = promisify(execFile);

/** A client, packed as for its registry, and installed in a folder outside the project. */
export class InstalledClient {
  private constructor(
    readonly language: Language,
    /** Folder in which programs find the client. */
    readonly folder: string,
  ) {}

  static async install(language: Language): Promise<InstalledClient> {
    const folder = mkdtempSync(join(tmpdir(), 'creator-data-client-'));
    await (language === 'TypeScript' ? installTypescript(folder) : installPython(folder));
    return new InstalledClient(language, folder);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs a program, a file of the folder. @returns what it prints */
  async run(file: string, env: Readonly<Record<string, string>>): Promise<string> {
    const { stdout } = await run(this.#interpreter, [join(this.folder, file)], {
      cwd: this.folder,
      env: { ...this.#env, ...env },
    });
    return stdout;
  }

  /** Starts the driver of the client. */
  start(options: DriverOptions): ClientDriver {
    const file = this.language === 'TypeScript' ? 'driver.mjs' : 'driver.py';
    copyFileSync(join(ROOT, 'test/clients', file), join(this.folder, file));
    const env = { ...this.#env, CLIENT_OPTIONS: JSON.stringify(options) };
    return new ClientDriver(spawn(this.#interpreter, [join(this.folder, file)], { env }));
  }

  get #interpreter(): string {
    return this.language === 'TypeScript' ? process.execPath : present(PYTHON);
  }

  get #env(): Record<string, string> {
    return { PATH: process.env.PATH ?? '', PYTHONPATH: join(this.folder, 'site'), PYTHONDONTWRITEBYTECODE: '1' };
  }
}

/** A process that calls a client. */
export class ClientDriver {
  readonly #lines: AsyncIterator<string>;
  #errors = '';

  constructor(private readonly child: ChildProcessWithoutNullStreams) {
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
  }

  async call(call: Call): Promise<Reply> {
    this.child.stdin.write(`${JSON.stringify({ parameters: {}, ...call })}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error(`the driver ended: ${this.#errors}`);
    return JSON.parse(value) as Reply;
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'close');
    this.child.stdin.end();
    await ended;
  }
}

/** Builds in a folder of the project, because the compiler is one of its packages. */
async function installTypescript(folder: string): Promise<void> {
  const source = mkdtempSync(join(ROOT, 'node_modules/.creator-data-client-'));
  try {
    cpSync(join(ROOT, 'clients/typescript'), source, { recursive: true, filter: (path) => !path.endsWith('/dist') });
    await npm(source, 'pack', '--pack-destination', folder);
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await npm(folder, 'install', '--offline', '--no-audit', '--no-fund', join(folder, packedIn(folder, '.tgz')));
}

async function installPython(folder: string): Promise<void> {
  const source = join(folder, 'source');
  cpSync(join(ROOT, 'clients/python'), source, { recursive: true });
  const pip = (...args: readonly string[]) =>
    run(present(PYTHON), ['-m', 'pip', '--disable-pip-version-check', ...args], { cwd: folder });
  await pip('wheel', '--quiet', '--no-deps', '--no-index', '--no-build-isolation', source);
  await pip('install', '--quiet', '--no-deps', '--no-index', '--target', 'site', packedIn(folder, '.whl'));
}

const npm = (cwd: string, ...args: readonly string[]) => run('npm', [...args, '--loglevel=error'], { cwd });

const packedIn = (folder: string, extension: string): string =>
  present(readdirSync(folder).find((name) => name.endsWith(extension)));
