import { dirname, join, parse } from 'node:path';
import * as z from 'zod';
import { parseOrigins } from './origins.js';
import { parseSentinelUrl } from './redis-sentinels.js';
import { checkMysqlUrl, checkRedisUrl, checkSqliteUrl, lowerCaseScheme } from './store-urls.js';

/** Location of the store: a SQLite file or a MySQL-compatible server. */
export type DatabaseLocation =
  | {
      readonly dialect: 'sqlite';
      readonly path: string;
      readonly usagePath: string;
    }
  | { readonly dialect: 'mysql'; readonly url: string; readonly replicaUrls: readonly string[] };

/** Settings of the process, read from the environment once; see `docs/operations.md`. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly database: DatabaseLocation;
  /** Redis that holds the shared rate limit counters; null keeps them in the process. */
  readonly redisUrl: string | null;
  /** Requests per minute allowed to a key without its own limit. */
  readonly rateLimitPerMinute: number;
  /** Number of trusted proxies (`X-Forwarded-For` entries). */
  readonly trustProxy: number;
  /** Origins whose pages may read answers; `*` for all, null for none. */
  readonly corsOrigins: readonly string[] | '*' | null;
  readonly metricsPort: number | null;
  /** Time limit for receiving a request body, in seconds. */
  readonly bodyTimeoutSeconds: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Which requests are logged. */
  readonly logRequests: (typeof LOG_REQUESTS)[number];
  /** Number of serving processes; more than one requires Redis. */
  readonly workers: number;
  /** Folder for the search index, and for usage records during an outage. */
  readonly dataFolder: string;
}

/** Injection token of the `Config`. */
export const CONFIG = Symbol('config');

/** Returns the path of the usage file of an embedded database. */
export function usagePathOf(path: string): string {
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}-usage${ext}`);
}

/** Invalid setting; its one-line message names the variable and what it accepts. */
export class ConfigError extends Error {}

const LOG_REQUESTS = ['off', 'errors', 'all'] as const;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));

/** URL of a store. @param check returns null for a valid URL, otherwise a detail for the message */
const storeUrl = (check: (text: string) => string | null) =>
  z
    .string()
    .transform(lowerCaseScheme)
    .superRefine((text, context) => {
      const detail = check(text);
      if (detail !== null) context.addIssue({ code: 'custom', params: { detail } });
    });

const isSqlite = (url: string): boolean => url.startsWith('sqlite:');

const PORT_RANGE = 'a port number from 0 to 65535';

/** What each variable accepts, for error messages. */
const EXPECTED: Record<string, string> = {
  PORT: PORT_RANGE,
  HOST: 'a host name or an IP address',
  DATABASE_URL: 'sqlite:PATH or mysql://user:password@host:3306/database; PATH is that of a file on a disk',
  DATABASE_PASSWORD: 'the password for mysql:// URLs that contain no password, and unset for others',
  DATABASE_REPLICA_URLS: 'comma-separated mysql:// URLs; DATABASE_URL must be one too',
  REDIS_URL:
    'redis://host:6379, rediss://host:6379, or redis+sentinel://host:26379,host:26379/NAME; a database by its number: redis://host:6379/1',
  RATE_LIMIT_PER_MINUTE: 'a whole number from 1 to 1000000000',
  TRUST_PROXY: 'the number of trusted proxies, from 0 to 100',
  CORS_ORIGINS: 'comma-separated origins such as https://app.example.com, or *',
  METRICS_PORT: PORT_RANGE,
  BODY_TIMEOUT_SECONDS: 'a whole number from 1 to 300',
  LOG_LEVEL: `one of ${LOG_LEVELS.join(', ')}`,
  LOG_REQUESTS: `one of ${LOG_REQUESTS.join(', ')}`,
  WORKERS: 'a whole number from 1 to 256; more than 1 requires REDIS_URL',
};

const shape = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/)
    .default('0.0.0.0'),
  DATABASE_URL: storeUrl((url) => (isSqlite(url) ? checkSqliteUrl(url) : checkMysqlUrl(url))).default(
    'sqlite:./data/creator-data.sqlite',
  ),
  DATABASE_PASSWORD: z.string().nullable().default(null),
  DATABASE_REPLICA_URLS: z
    .string()
    .transform((text) => text.split(',').map((url) => url.trim()))
    .pipe(z.array(storeUrl(checkMysqlUrl)))
    .default([]),
  REDIS_URL: storeUrl((url) => (parseSentinelUrl(url) === null ? checkRedisUrl(url) : null))
    .nullable()
    .default(null),
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000_000).default(1000),
  TRUST_PROXY: wholeNumber(0, 100).default(0),
  CORS_ORIGINS: z.string().transform(parseOrigins).nullable().default(null),
  METRICS_PORT: wholeNumber(0, 65_535).nullable().default(null),
  BODY_TIMEOUT_SECONDS: wholeNumber(1, 300).default(10),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  LOG_REQUESTS: z.enum(LOG_REQUESTS).default('errors'),
  WORKERS: wholeNumber(1, 256).default(1),
  DATA_DIR: z.string().optional(),
});

/** Names of the settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(shape.shape);

const variables = shape.superRefine((settings, context) => {
  if (settings.DATABASE_REPLICA_URLS.length > 0 && isSqlite(settings.DATABASE_URL)) {
    context.addIssue({ code: 'custom', path: ['DATABASE_REPLICA_URLS'] });
  }
  if (settings.DATABASE_PASSWORD !== null && !databaseUrls(settings).every(hasNoPassword)) {
    context.addIssue({ code: 'custom', path: ['DATABASE_PASSWORD'] });
  }
  if (settings.CORS_ORIGINS?.length === 0) context.addIssue({ code: 'custom', path: ['CORS_ORIGINS'] });
  if (settings.WORKERS > 1 && settings.REDIS_URL === null) context.addIssue({ code: 'custom', path: ['WORKERS'] });
});

/** Reads the settings; an empty variable counts as unset.
 * @throws ConfigError that omits the invalid value, because it may contain a password */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const nonEmpty = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = variables.safeParse(nonEmpty);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0]);
    const detail = issue?.code === 'custom' ? String(issue.params?.detail ?? '') : '';
    throw new ConfigError(`${name} must be ${EXPECTED[name]}${detail === '' ? '' : `; ${detail}`}`);
  }
  const settings = parsed.data;
  if (settings.METRICS_PORT === settings.PORT && settings.PORT !== 0) {
    throw new ConfigError('METRICS_PORT must differ from PORT');
  }
  const databasePath = settings.DATABASE_URL.slice('sqlite:'.length);
  const database: DatabaseLocation = isSqlite(settings.DATABASE_URL)
    ? { dialect: 'sqlite', path: databasePath, usagePath: usagePathOf(databasePath) }
    : {
        dialect: 'mysql',
        url: withPassword(settings.DATABASE_URL, settings.DATABASE_PASSWORD),
        replicaUrls: settings.DATABASE_REPLICA_URLS.map((url) => withPassword(url, settings.DATABASE_PASSWORD)),
      };
  return {
    port: settings.PORT,
    host: settings.HOST,
    database,
    redisUrl: settings.REDIS_URL,
    rateLimitPerMinute: settings.RATE_LIMIT_PER_MINUTE,
    trustProxy: settings.TRUST_PROXY,
    corsOrigins: settings.CORS_ORIGINS,
    metricsPort: settings.METRICS_PORT,
    bodyTimeoutSeconds: settings.BODY_TIMEOUT_SECONDS,
    logLevel: settings.LOG_LEVEL,
    logRequests: settings.LOG_REQUESTS,
    workers: settings.WORKERS,
    dataFolder: settings.DATA_DIR ?? (database.dialect === 'sqlite' ? dirname(database.path) : './data'),
  };
}

const databaseUrls = (settings: {
  readonly DATABASE_URL: string;
  readonly DATABASE_REPLICA_URLS: readonly string[];
}) => [settings.DATABASE_URL, ...settings.DATABASE_REPLICA_URLS];

const hasNoPassword = (url: string): boolean => url.startsWith('mysql:') && new URL(url).password === '';

/** Inserts a password into a URL. @param password the plain text, not URL-encoded */
function withPassword(text: string, password: string | null): string {
  if (password === null) return text;
  const url = new URL(text);
  url.password = encodeURIComponent(password);
  return url.href;
}
