import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { LeanExpressAdapter } from '../http/node/lean-express.adapter.js';
import { listen } from './listen.js';
import type { AppContext } from './app-context.module.js';
import { AppModule } from './app.module.js';
import { applicationOptions } from './application-options.js';
import { configure } from './configure.js';
import { requireDatabase } from '../features/quota/redis-connection.js';
import { ConfigError, readConfig, type Config, type DatabaseLocation } from '../model/config.js';
import { describeMisspeltSettings } from '../model/misspelt-settings.js';
import { serveMetrics } from './metrics-server.js';
import type { MetricsSource } from './metrics.js';
import { ClusterConnections, leaveCluster } from '../http/node/cluster-handles.js';
import { openCurrentDatabase } from '../schema/open-database.js';
import { isAccessDenied } from '../database/access-denied.js';
import { explainDatabaseError } from '../database/explain-database-error.js';
import { NoKeyYetError, requireInstallationSecret, warnWithoutKey } from './installation-check.js';
import { createLogger } from './service-logger.js';
import { stopGracefully } from '../http/node/graceful-stop.js';
import { Startup } from './startup.js';

/** Delay before a dead worker is replaced, so that a repeated failure does not spin. */
const RESTART_MS = 1000;

/** Loads the code that opens the database of test keys. */
type LoadSampleData = () => Promise<Pick<AppContext, 'openSampleDatabase'>>;

/** Runs the service until it is asked to stop. A failed start prints one line and exits with status 1. */
export async function runService(environment: NodeJS.ProcessEnv, loadSampleData: LoadSampleData): Promise<void> {
  let config: Config | null = null;
  let startup: Startup | null = null;
  try {
    config = readConfig(environment);
    const logger = createLogger(config.logLevel);
    if (cluster.isPrimary) for (const line of describeMisspeltSettings(environment)) logger.warn(line);
    if (config.redisUrl !== null) await requireDatabase(config.redisUrl);
    startup = new Startup(environment, logger);
    if (config.workers > 1 && cluster.isPrimary) await superviseWorkers(config, logger, startup);
    else await serve(config, logger, startup, loadSampleData);
  } catch (error) {
    const hints = error instanceof ConfigError ? describeMisspeltSettings(environment) : [];
    process.stderr.write(`${[describeStartFailure(error, config?.database ?? null), ...hints].join('; ')}\n`);
    await startup?.undo();
    process.exit(1);
  }
}

/** Creates the application, which does not listen yet. */
export async function createApplication(context: AppContext): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(context),
    new LeanExpressAdapter(),
    applicationOptions(context.logger),
  );
  configure(app);
  return app;
}

async function serve(config: Config, logger: Logger, startup: Startup, loadSampleData: LoadSampleData): Promise<void> {
  const database = await startup.step(openCurrentDatabase(config.database), (opened) => opened.close());
  // A step of its own, because a stop must close the database while this waits.
  await startup.step(requireInstallationSecret(database));
  if (cluster.isPrimary) await startup.step(warnWithoutKey(database, logger));
  const openSampleDatabase = async () => (await loadSampleData()).openSampleDatabase();
  const context = { config, database, logger, openSampleDatabase };
  const app = await startup.step(createApplication(context), (created) => created.close());
  await startup.step(app.init());
  const server: Server = app.getHttpServer();
  // Before the service listens: a start that fails must not have answered requests.
  await startup.step(
    startMetrics(config, ({ createMetrics }) => createMetrics(app)),
    (metrics) => metrics?.close(),
  );
  const address = await startup.step(listen(server, config), async () => {
    await stopGracefully(server, (app.getHttpAdapter() as LeanExpressAdapter).traffic);
    await leaveCluster();
  });
  startup.finish(() => startup.close());
  // Last, because programs that wait for this line may send a signal at once.
  logger.info({ address, database: config.database.dialect, redis: config.redisUrl !== null }, 'serving');
  // Node.js remembers an import that failed. The first request may come when no file descriptor is free.
  const budgets = config.redisUrl === null ? null : import('./agents/redis-budgets.js');
  await Promise.all([import('./agents/mcp-endpoint.js'), budgets, loadSampleData()]);
}

/** Starts the metrics server if a port is set. Only then is the metrics library loaded. */
async function startMetrics(
  { metricsPort, host }: Config,
  collect: (metrics: typeof import('./metrics.js')) => MetricsSource,
): Promise<Server | null> {
  if (metricsPort === null) return null;
  const source = collect(await import('./metrics.js'));
  // Workers share ports, so a scrape would reach any of them. The primary serves their sum instead.
  return cluster.isPrimary ? serveMetrics(source, metricsPort, host) : null;
}

async function prepareDatabase(config: Config, logger: Logger): Promise<void> {
  const database = await openCurrentDatabase(config.database);
  try {
    await requireInstallationSecret(database);
    await warnWithoutKey(database, logger);
  } finally {
    await database.close();
  }
}

/** Runs each worker in its own process. Workers share the port, the database and, with Redis, the minute counters. */
async function superviseWorkers(config: Config, logger: Logger, startup: Startup): Promise<void> {
  // Migrates the embedded database once, before the workers start, and fails once instead of in each worker.
  await startup.step(prepareDatabase(config, logger));
  if (config.workers > availableParallelism()) {
    logger.warn({ workers: config.workers, cores: availableParallelism() }, 'more workers than cores');
  }
  await startup.step(
    startMetrics(config, ({ createWorkerMetrics }) => createWorkerMetrics()),
    (metrics) => metrics?.close(),
  );
  const connections = new ClusterConnections();
  const fork = () => {
    const worker = cluster.fork();
    connections.watch(worker);
    // Emitted for messages to a worker that has ended. Without a listener it would end this process.
    worker.on('error', (error) => logger.warn({ worker: worker.process.pid, err: error }, 'a worker was not reached'));
  };
  for (let count = 0; count < config.workers; count += 1) fork();
  let hasListened = false;
  cluster.on('listening', () => (hasListened = true));
  cluster.on('exit', (worker, code, signal) => {
    if (startup.isStopping) return;
    if (!hasListened) {
      // A worker that ends by itself has printed the reason, and another one would fail in the same way.
      if (signal !== null) process.stderr.write(`Cannot start: a worker was ended by ${signal}\n`);
      process.exit(1);
    }
    logger.error({ worker: worker.process.pid, code, signal }, 'a worker ended and is replaced');
    setTimeout(() => !startup.isStopping && fork(), RESTART_MS);
  });
  startup.finish(async () => {
    await connections.stop();
    const workers = Object.values(cluster.workers ?? {})
      .filter((worker) => worker !== undefined)
      .filter((worker) => !worker.isDead());
    const ended = Promise.all(workers.map((worker) => once(worker, 'exit')));
    for (const worker of workers) worker.process.kill('SIGTERM');
    await ended;
    await startup.close();
  });
}

function describeStartFailure(error: unknown, database: DatabaseLocation | null): string {
  if (error instanceof ConfigError || error instanceof NoKeyYetError) return `Cannot start: ${error.message}`;
  if (isAccessDenied(error)) return `Cannot start: ${(error as Error).message}: apply deploy/grants.sql`;
  const explanation = explainDatabaseError(error, database);
  if (explanation !== null) return `Cannot start: ${explanation}`;
  if (error instanceof AggregateError) return `Cannot start: ${error.errors.map(String).join('; ')}`;
  return `Cannot start: ${error instanceof Error ? error.message : String(error)}`;
}
