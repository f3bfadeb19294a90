import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runClients, type Receipt } from '../../support/http/clients.js';
import { ROOT } from '../../support/files/project-root.js';
import { buildOnce } from '../../support/process/build.js';
import { freePort } from '../../support/stores/free-port.js';

/** The cluster of `deploy/local`, in a temporary folder and on free ports. */
export class Cluster {
  private constructor(
    private readonly home: string,
    private readonly port: number,
  ) {}

  /** Starts the cluster. @param members to start, in this order; by default all */
  static async start(members: readonly string[] = []): Promise<Cluster> {
    await buildOnce();
    // A hundred consecutive ports, below the ephemeral range.
    const port = 10_000 + 100 * ((await freePort()) % 200);
    const home = mkdtempSync(join(tmpdir(), 'creator-data-cluster-'));
    // As root, the nodes of MariaDB run as another user.
    chmodSync(home, 0o755);
    const cluster = new Cluster(home, port);
    if (members.length === 0) await cluster.#run('start');
    for (const member of members) await cluster.#run('start', member);
    return cluster;
  }

  /** Address of HAProxy. */
  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Value of DATABASE_URL: the node that is written to. */
  get url(): string {
    return `mysql://creator_data@127.0.0.1:${this.port + 1}/creator_data`;
  }

  /** URL of a node, bypassing the proxy. */
  nodeUrl(nth: number): string {
    return `mysql://creator_data@127.0.0.1:${this.port + 10 + nth}/creator_data`;
  }

  /** Value of REDIS_URL. */
  get redisUrl(): string {
    const sentinels = [1, 2, 3].map((nth) => `127.0.0.1:${this.port + 50 + nth}`);
    return `redis+sentinel://${sentinels.join()}/creator-data`;
  }

  /** Origin of a service process, bypassing the proxy. */
  serviceOrigin(nth: number): string {
    return `http://127.0.0.1:${this.port + 60 + nth}`;
  }

  /** Port of one of the Sentinels. */
  get sentinelPort(): number {
    return this.port + 51;
  }

  startMember(name: string): Promise<string> {
    return this.#run('start', name);
  }

  stopMember(name: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<string> {
    return this.#run('stop', name, '--signal', signal);
  }

  async remove(): Promise<void> {
    await this.#run('stop', '--signal', 'SIGKILL');
    rmSync(this.home, { recursive: true, force: true });
  }

  async #run(...args: readonly string[]): Promise<string> {
    const place = ['--dir', this.home, '--port', String(this.port)];
    const script = spawn('node', [join(ROOT, 'deploy/local/cluster.mjs'), ...args, ...place], { cwd: ROOT });
    let printed = '';
    for (const stream of [script.stdout, script.stderr]) stream.on('data', (text: Buffer) => (printed += String(text)));
    const [status] = (await once(script, 'close')) as [number | null];
    if (status !== 0) throw new Error(`cluster ${args.join(' ')}: ${printed}`);
    return printed;
  }
}

/** Results of clients that continue through failures. */
export interface SteadyOutcome {
  /** Answers of the service, without those of the proxy. */
  readonly receipts: Receipt[];
  /** Times of failed requests, as in `performance.now()`. */
  readonly failures: number[];
  /** Requests that the service did not answer. */
  unanswered: number;
}

const RETRY_MS = 20;

/** Runs clients that reconnect after every failure. */
export async function runSteadyClients(
  origin: string,
  key: string,
  clients: number,
  path: (nth: number) => string,
  isOver: () => boolean,
): Promise<SteadyOutcome> {
  const seen: SteadyOutcome = { receipts: [], failures: [], unanswered: 0 };
  const client = async () => {
    while (!isOver()) {
      const { receipts, unanswered } = await runClients({ origin, key, clients: 1, path, isDone: isOver });
      for (const receipt of receipts) {
        if (receipt.requestId === 'undefined') seen.unanswered += 1;
        else seen.receipts.push(receipt);
        if (receipt.status >= 500) seen.failures.push(receipt.at);
      }
      if (isOver()) break;
      seen.unanswered += unanswered.length;
      seen.failures.push(performance.now());
      await delay(RETRY_MS);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return seen;
}
