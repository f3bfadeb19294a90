import { writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { Provider } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { pino } from 'pino';
import { Test } from '@nestjs/testing';
import { LeanExpressAdapter } from '../../../src/http/node/lean-express.adapter.js';
import { listen } from '../../../src/server/listen.js';
import { AppModule } from '../../../src/server/app.module.js';
import { applicationOptions } from '../../../src/server/application-options.js';
import { configure } from '../../../src/server/configure.js';
import { Audit } from '../../../src/operator/audit/audit.js';
import type { ApiKeys, IssuedKey } from '../../../src/operator/keys/api-keys.js';
import { openKeys } from '../../../src/operator/keys/open-keys.js';
import { CONFIG, readConfig } from '../../../src/model/config.js';
import type { Dialect } from '../../../src/database/columns.js';
import type { Database } from '../../../src/database/database.js';
import { IndexFeeds } from '../../../src/features/search/index-feeds.js';
import { IndexReader } from '../../../src/features/search/index-reader.js';
import { migrate, openDatabase } from '../../../src/schema/open-database.js';
import { openSampleDatabase } from '../../../src/operator/sample-data.js';
import { importLines, type ImportOutcome } from '../../../src/operator/import/importer.js';
import type { RejectedLine } from '../../../src/operator/import/batches.js';
import { LineReader } from '../../../src/operator/import/line-reader.js';
import type { ImportKind } from '../../../src/operator/import/parse-line.js';
import { Clock } from '../../../src/model/clock.js';
import { WatermarkPublisher } from '../../../src/receipts/watermark-publisher.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../stores/test-database.js';
import { shortened } from '../http/difference.js';
import { httpRequest, type Answer, type RequestOptions } from '../http/request.js';
import { until } from '../until.js';

/** A clock that tests advance instead of sleeping. */
export class TestClock extends Clock {
  #offset = 0;
  #stoppedAt: number | null = null;
  #setBackMs = 0;

  now(): number {
    return this.elapsed() - this.#setBackMs;
  }

  elapsed(): number {
    return this.#stoppedAt ?? Date.now() + this.#offset;
  }

  /** Sets the time of day back, as an operator may; no time passes. */
  setBack(ms: number): void {
    this.#setBackMs += ms;
  }

  advance(ms: number): void {
    if (this.#stoppedAt === null) this.#offset += ms;
    else this.#stoppedAt += ms;
  }

  /** Stops at an instant, until `run` or `reset`. */
  stopAt(ms: number): void {
    this.#stoppedAt = ms;
  }

  /** Returns to the real time. */
  reset(): void {
    this.#setBackMs = 0;
    this.#offset = 0;
    this.#stoppedAt = null;
  }

  /** Continues from the current instant. */
  run(): void {
    this.#offset = this.elapsed() - Date.now();
    this.#stoppedAt = null;
  }
}

/** The application in this process, on a free port, over a database of its own. */
export class TestService {
  readonly clock = new TestClock();
  /** A key whose allowance tests do not exhaust. */
  key = '';
  origin = '';
  database: Database;
  keys: ApiKeys;
  #app: NestExpressApplication;
  /** Files of all services of the process: those of one database share its folder. */
  static #files = 0;

  private constructor(
    readonly testDatabase: TestDatabase,
    private readonly ownsDatabase: boolean,
  ) {}

  get dialect(): Dialect {
    return this.testDatabase.dialect;
  }

  /** Starts the application. @param settings further environment variables */
  static async start(dialect: Dialect, settings: Readonly<Record<string, string>> = {}): Promise<TestService> {
    const service = new TestService(await createTestDatabase(dialect), true);
    await service.#open(settings);
    return service;
  }

  /**
   * Starts a second application over the same database, with its own connections, counters and indexes, like a second
   * process. Stop it before this one.
   * @param providers additional providers of the application
   * @param openSample opens the database that answers test keys
   */
  async startSecond(
    settings: Readonly<Record<string, string>> = {},
    providers: readonly Provider[] = [],
    openSample = openSampleDatabase,
  ): Promise<TestService> {
    const service = new TestService(this.testDatabase, false);
    await service.#open(settings, providers, openSample);
    return service;
  }

  async #open(
    settings: Readonly<Record<string, string>>,
    providers: readonly Provider[] = [],
    openSample = openSampleDatabase,
  ): Promise<void> {
    const config = readConfig({
      DATABASE_URL: this.testDatabase.url,
      DATA_DIR: this.testDatabase.folder,
      ...settings,
    });
    this.database = await openDatabase(config.database);
    await migrate(this.database);
    this.keys = await openKeys(this.database, new Audit(this.database, 'test'));
    this.key = (await this.newKey(1_000_000)).key;
    const logger = pino({ level: 'silent' });
    const module = await Test.createTestingModule({
      imports: [
        AppModule.with({
          config: readConfig({}),
          database: this.database,
          logger,
          openSampleDatabase: () => openSample(),
        }),
      ],
      providers: [...providers],
    })
      .overrideProvider(CONFIG)
      .useValue(config)
      .overrideProvider(Clock)
      .useValue(this.clock)
      .compile();
    this.#app = module.createNestApplication<NestExpressApplication>(
      new LeanExpressAdapter(),
      applicationOptions(logger),
    );
    configure(this.#app);
    await this.#app.init();
    this.origin = await listen(this.#app.getHttpServer(), { port: 0, host: '127.0.0.1' });
  }

  async stop(): Promise<void> {
    const server: Server = this.#app.getHttpServer();
    // `close` waits without end for a connection that a browser opened ahead and never used.
    const timer = setTimeout(() => server.closeAllConnections(), 10_000);
    await this.#app.close();
    clearTimeout(timer);
    await this.database.close();
    if (this.ownsDatabase) await this.testDatabase.drop();
  }

  /** ID of this service in the registry of processes that record usage. */
  get writerId(): string {
    return this.#app.get(WatermarkPublisher, { strict: false }).id;
  }

  /** Waits until searches find all creators that were loaded. */
  async untilSearchable(): Promise<void> {
    const state = await this.#app.get(IndexFeeds, { strict: false }).readState();
    const reader = this.#app.get(IndexReader, { strict: false });
    await until('the search index is current', () => !reader.isBehind(state), 60_000);
  }

  /** Publishes the watermark of recorded usage, as the service does every few seconds. */
  publishWatermark(): Promise<void> {
    return this.#app.get(WatermarkPublisher, { strict: false }).publish();
  }

  newKey(rateLimit: number | null = null): Promise<IssuedKey> {
    return this.keys.create('a test', rateLimit);
  }

  newTestKey(rateLimit: number | null = null): Promise<IssuedKey> {
    return this.keys.create('a test', rateLimit, { is_test: 1 });
  }

  /** Sends a request with the key of the service, unless `headers` has another `x-api-key`. */
  request(path: string, options: RequestOptions = {}): Promise<Answer> {
    return httpRequest(this.origin, path, { ...options, headers: { 'x-api-key': this.key, ...options.headers } });
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.request(path, { headers });
  }

  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.request(path, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  /** Imports records from a file, and expects every line to be valid. */
  async load(kind: ImportKind, ...records: readonly object[]): Promise<void> {
    const { rejected } = await this.loadLines(
      kind,
      records.map((record) => JSON.stringify(record)),
    );
    const reasons = rejected.map(({ line, reason, text }) => `line ${line}: ${reason}: ${shortened(text)}`);
    if (reasons.length > 0) throw new Error(shortened(`${reasons.length} rejected: ${reasons.join('; ')}`, 2000));
  }

  /** Imports lines, valid or not. */
  async loadLines(
    kind: ImportKind,
    lines: readonly string[],
    strict = false,
  ): Promise<{ outcome: ImportOutcome; rejected: RejectedLine[] }> {
    const file = join(this.testDatabase.folder, `lines-${(TestService.#files += 1)}.ndjson`);
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    const rejected: RejectedLine[] = [];
    const outcome = await importLines(this.database, kind, await LineReader.open(file), {
      strict,
      reject: async (lines) => void rejected.push(...lines),
      progress: () => undefined,
      signal: new AbortController().signal,
    });
    return { outcome, rejected };
  }

  /** Follows `next_cursor` from the first page to the last, or to the current end of a feed. @returns the payloads of all pages */
  async walk(path: string, parameters: Readonly<Record<string, string>> = {}): Promise<unknown[]> {
    const items: unknown[] = [];
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({ ...parameters, ...(cursor === null ? {} : { cursor }) });
      const { status, body } = await this.get(`${path}?${query.toString()}`);
      if (status !== 200) throw new Error(`${status}: ${shortened(JSON.stringify(body))}`);
      items.push(...(body.payload as unknown[]));
      // A feed has a cursor for what comes later, also at its end.
      cursor = body.paging.has_more === false ? null : (body.paging.next_cursor as string | null);
    } while (cursor !== null);
    return items;
  }
}

/**
 * Runs the same tests against the application on every database.
 * @param tests receives a function that returns the running service; call it inside tests only
 */
export function describeService(
  name: string,
  tests: (service: () => TestService) => void,
  settings: Readonly<Record<string, string>> = {},
): void {
  describe.each(DIALECTS)(`${name} (%s)`, (dialect) => {
    let running: TestService;
    beforeAll(async () => {
      running = await TestService.start(dialect, settings);
    });
    afterAll(() => running.stop());
    tests(() => running);
  });
}
