import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createConnection, type Connection } from 'mysql2/promise';
import { freePort } from '../../support/stores/free-port.js';
import { until } from '../../support/until.js';

const START_WITHIN_MS = 30_000;

/** A MariaDB server for one drill, which can be stopped, paused and killed. */
export class OwnMariadb {
  #process: ChildProcess | null = null;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<OwnMariadb> {
    const server = new OwnMariadb(mkdtempSync(join(tmpdir(), 'creator-data-mariadb-')), await freePort());
    execFileSync(
      'mariadb-install-db',
      [...server.#data(), '--auth-root-authentication-method=normal', '--skip-test-db'],
      { stdio: 'pipe' },
    );
    await server.run();
    // Not permitted to write to a read-only server, like the user of an operator.
    await server.sql(
      'CREATE DATABASE drill',
      "CREATE USER drill@'127.0.0.1'",
      "GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES, LOCK TABLES ON drill.* TO drill@'127.0.0.1'",
    );
    return server;
  }

  /** Value of DATABASE_URL. */
  get url(): string {
    return `mysql://drill@127.0.0.1:${this.port}/drill`;
  }

  /** Starts the server, also after `stop` or `kill`. */
  async run(): Promise<void> {
    const socket = `--socket=${join(this.folder, 'socket')}`;
    const args = [...this.#data(), '--bind-address=127.0.0.1', `--port=${this.port}`, socket, '--skip-name-resolve'];
    this.#process = spawn('mariadbd', args, { stdio: 'ignore' });
    await until(
      'MariaDB answers',
      () =>
        this.sql().then(
          () => true,
          () => false,
        ),
      START_WITHIN_MS,
    );
  }

  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const server = this.#process;
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, 'exit');
  }

  /** Runs statements as the administrator. */
  async sql(...statements: readonly string[]): Promise<void> {
    const connection = await this.session();
    try {
      for (const statement of statements) await connection.query(statement);
    } finally {
      connection.destroy();
    }
  }

  /** Opens a connection that holds a lock or uses up the limit of connections. */
  session(user: 'root' | 'drill' = 'root'): Promise<Connection> {
    return createConnection({ uri: `mysql://${user}@127.0.0.1:${this.port}`, connectTimeout: 2000 });
  }

  /** Kills all other connections. */
  async disconnectAll(): Promise<void> {
    await this.sql("KILL USER drill@'127.0.0.1'");
  }

  async remove(): Promise<void> {
    this.resume();
    await this.stop('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  #data(): string[] {
    return ['--no-defaults', `--datadir=${join(this.folder, 'data')}`, `--user=${userInfo().username}`];
  }
}
