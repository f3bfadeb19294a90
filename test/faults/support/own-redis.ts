import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freePort } from '../../support/stores/free-port.js';
import { until } from '../../support/until.js';

/** A Redis server for one drill. */
export class OwnRedis {
  #process: ChildProcess | null = null;

  private constructor(private readonly port: number) {}

  static async start(): Promise<OwnRedis> {
    const server = new OwnRedis(await freePort());
    await server.run();
    return server;
  }

  /** Value of REDIS_URL. */
  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async run(): Promise<void> {
    const args = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.#process = spawn('redis-server', args, { stdio: 'ignore' });
    await until('Redis answers', () =>
      this.command('ping').then(
        () => true,
        () => false,
      ),
    );
  }

  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    const server = this.#process;
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  }

  async command(name: string): Promise<unknown> {
    const redis = new Redis(this.url, { lazyConnect: true, retryStrategy: () => null });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await redis.call(name);
    } finally {
      redis.disconnect();
    }
  }
}
