import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../files/project-root.js';
import { DnsServer } from './dns-server.js';
import { freePort } from '../stores/free-port.js';
import { until } from '../until.js';

export const HAS_HAPROXY = spawnSync('haproxy', ['-v']).error === undefined;

export const CONFIGURATION = join(ROOT, 'deploy/haproxy/haproxy.cfg');

/** HAProxy with the configuration of the project, apart from its addresses. */
export class Haproxy {
  private constructor(
    readonly origin: string,
    private readonly process: ChildProcess,
    private readonly dns: DnsServer,
    private readonly folder: string,
  ) {}

  /** @param addresses of the replicas @param port of all of them */
  static async start(addresses: readonly string[], port: number): Promise<Haproxy> {
    const dns = await DnsServer.start(addresses);
    const own = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'creator-data-haproxy-'));
    const file = join(folder, 'haproxy.cfg');
    const others = [
      ['bind :3000', `bind 127.0.0.1:${own}`],
      ['127.0.0.11:53', `127.0.0.1:${dns.port}`],
      ['replica:3000', `replica:${port}`],
    ] as const;
    let text = readFileSync(CONFIGURATION, 'utf8');
    for (const [from, to] of others) {
      if (!text.includes(from)) throw new Error(`the configuration has no ${from}`);
      text = text.replace(from, to);
    }
    writeFileSync(file, text);
    const haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
    const proxy = new Haproxy(`http://127.0.0.1:${own}`, haproxy, dns, folder);
    const answers = () =>
      fetch(proxy.origin).then(
        () => true,
        () => false,
      );
    await until('the proxy answers', answers);
    return proxy;
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
    this.dns.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
