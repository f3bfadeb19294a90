import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../files/project-root.js';
import { freePort } from '../stores/free-port.js';

/** Whether this machine has the programs that an installation needs. */
export const HAS_NGINX = ['nginx', 'sqlite3', 'openssl'].every((name) => spawnSync(name, ['-h']).error === undefined);
export const HAS_SYSTEMD = spawnSync('systemd-analyze', ['--version']).error === undefined;

/** Folders that an installation writes to. */
const FOLDERS = ['/opt/creator-data', '/etc', '/usr/local/bin', '/var/lib/creator-data', '/var/backups'];
const PRESENT = [
  'etc/nginx/conf.d',
  'etc/systemd/system',
  'etc/ssl/certs',
  'etc/ssl/private',
  'usr/local/bin',
  'opt',
  'var',
];

export interface HttpsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/**
 * A folder that stands in for a machine: it runs the commands of an operator, with nginx, and with a `systemctl` that
 * starts and stops the program of the unit. It creates no users; everything runs as the user of the test.
 */
export class SimulatedMachine {
  readonly #root = mkdtempSync(join(tmpdir(), 'creator-data-machine-'));

  private constructor(
    private readonly ports: { readonly http: number; readonly https: number; readonly service: number },
  ) {}

  static async create(): Promise<SimulatedMachine> {
    const machine = new SimulatedMachine({
      http: await freePort(),
      https: await freePort(),
      service: await freePort(),
    });
    for (const folder of PRESENT) mkdirSync(join(machine.#root, folder), { recursive: true });
    machine.#addCommands();
    machine.#addCertificate();
    return machine;
  }

  /** Runs commands in a folder of the machine or in the project. @returns their output */
  run(script: string, folder?: string): string {
    const paths = ['bin', 'usr/local/bin'].map((path) => join(this.#root, path));
    const env = { PATH: [...paths, process.env.PATH].join(':') };
    const cwd = folder === undefined ? ROOT : join(this.#root, folder);
    return execFileSync('sh', ['-eu', '-c', this.#placed(script)], { env, cwd, encoding: 'utf8', stdio: 'pipe' });
  }

  /** Edits the settings and the nginx site, as an operator does before the start. */
  configure(): void {
    const edit = (path: string, change: (text: string) => string) => {
      const file = join(this.#root, path);
      writeFileSync(file, change(readFileSync(file, 'utf8')));
    };
    const { http, https, service } = this.ports;
    edit('etc/creator-data.env', (text) => this.#placed(text).replace('PORT=3000', `PORT=${service}`));
    edit('etc/nginx/conf.d/creator-data.conf', (text) =>
      this.#placed(text)
        .replace('127.0.0.1:3000', `127.0.0.1:${service}`)
        .replace('listen 80', `listen 127.0.0.1:${http}`)
        .replace('listen 443', `listen 127.0.0.1:${https}`),
    );
  }

  get httpOrigin(): string {
    return `http://127.0.0.1:${this.ports.http}`;
  }

  /** Sends a request through nginx. */
  get(path: string, key = ''): Promise<HttpsAnswer> {
    const options = { host: '127.0.0.1', port: this.ports.https, path, rejectUnauthorized: false };
    return new Promise((resolve, reject) => {
      const outgoing = request({ ...options, headers: { 'x-api-key': key } }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      outgoing.on('error', reject).end();
    });
  }

  remove(): void {
    this.run('systemctl stop creator-data; nginx -s stop || true');
    rmSync(this.#root, { recursive: true, force: true });
  }

  /** Rewrites paths of a machine to paths in the folder. */
  #placed(text: string): string {
    const paths = new RegExp(`(?<![\\w/.-])(?=${FOLDERS.join('|')})`, 'g');
    return text.replaceAll(paths, this.#root).replaceAll(' -o creator-data -g creator-data', '');
  }

  #addCommands(): void {
    const root = this.#root;
    const unit = `${root}/etc/systemd/system/creator-data.service`;
    const stop = `if [ -f ${root}/pid ]; then kill $(cat ${root}/pid) && tail --pid=$(cat ${root}/pid) -f /dev/null; rm ${root}/pid; fi`;
    const start = `
      value() { sed -n "s/^$1=//p" ${unit}; }
      set -a; . $(value EnvironmentFile); set +a
      cd $(value WorkingDirectory)
      exec $(value ExecStart | sed 's,^/usr/bin/node,${process.execPath},') >> ${root}/log 2>&1 &
      echo $! > ${root}/pid
      tail -n +1 -f ${root}/log | grep -m 1 '"serving"' >/dev/null`;
    const installed = [`${root}/usr/local/bin/creator-data`, unit].join(' ');
    const place = `s,(^|[^[:alnum:]_/.-])(${FOLDERS.join('|')}),\\1${root}\\2,g; s,/usr/bin/node,${process.execPath},`;
    this.#addCommand(
      'install',
      `/usr/bin/install "$@"; for file in ${installed}; do [ ! -e $file ] || sed -E -i '${place}' $file; done`,
    );
    this.#addCommand('useradd', 'exit 0');
    this.#addCommand('npm', 'exit 0');
    this.#addCommand('runuser', 'shift 3; exec "$@"');
    this.#addCommand('node', `exec ${process.execPath} "$@"`);
    this.#addCommand('nginx', `exec /usr/sbin/nginx -p ${root} -c ${root}/nginx.conf "$@"`);
    this.#addCommand(
      'systemctl',
      `case "$1 $*" in
        stop*) ${stop} ;;
        restart*creator-data*|start*creator-data*|enable*creator-data*) ${stop}; : > ${root}/log; ${start} ;;
        reload*nginx*) [ -f ${root}/nginx.pid ] && nginx -s reload || nginx ;;
      esac`,
    );
    writeFileSync(
      join(root, 'nginx.conf'),
      `pid ${root}/nginx.pid; error_log ${root}/nginx.log; events {} http { include ${root}/etc/nginx/conf.d/*.conf; }`,
    );
  }

  #addCommand(name: string, script: string): void {
    mkdirSync(join(this.#root, 'bin'), { recursive: true });
    writeFileSync(join(this.#root, 'bin', name), `#!/bin/sh\nset -eu\n${script}\n`, { mode: 0o755 });
  }

  #addCertificate(): void {
    const [key, certificate] = ['etc/ssl/private/creator-data.key', 'etc/ssl/certs/creator-data.pem'];
    const name = ['-subj', '/CN=api.example.com', '-days', '2'];
    const to = ['-keyout', join(this.#root, key), '-out', join(this.#root, certificate)];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...name, ...to], { stdio: 'pipe' });
  }
}
