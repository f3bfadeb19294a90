import { createConnection } from 'mysql2/promise';
import { Redis } from 'ioredis';

const STANDARD_MYSQL = 'mysql://root@127.0.0.1:3306';
const STANDARD_REDIS = 'redis://127.0.0.1:6379';

/**
 * Finds the stores to test with: those named in TEST_MYSQL_URL and TEST_REDIS_URL, or those that answer on the standard
 * ports of this machine. A store that is named must answer.
 */
export default async function globalSetup(): Promise<void> {
  process.env.TEST_MYSQL_URL = (await answering('TEST_MYSQL_URL', STANDARD_MYSQL, mysqlAnswers)) ?? '';
  process.env.TEST_REDIS_URL = (await answering('TEST_REDIS_URL', STANDARD_REDIS, redisAnswers)) ?? '';
}

async function answering(
  variable: string,
  standard: string,
  ask: (url: string) => Promise<void>,
): Promise<string | null> {
  const named = process.env[variable];
  if (named !== undefined && named !== '') {
    await ask(named);
    return named;
  }
  return ask(standard).then(
    () => standard,
    () => null,
  );
}

async function mysqlAnswers(url: string): Promise<void> {
  const connection = await createConnection({ uri: url, connectTimeout: 2000 });
  await connection.query('SELECT 1');
  await connection.end();
}

async function redisAnswers(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: 2000, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
  } finally {
    redis.disconnect();
  }
}
