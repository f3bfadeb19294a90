import { ConfigError } from '../../model/config.js';
import { trimEnd } from '../../model/trim-end.js';
import { OperatorError } from '../operator-error.js';
import { COLLECT_SOURCES, type CollectSource } from './collect-source.js';

/** Environment variables of `collect`; see docs/collecting.md. */
export const COLLECT_VARIABLES = [
  'TWITCH_CLIENT_ID',
  'TWITCH_CLIENT_SECRET',
  'YOUTUBE_API_KEY',
  'TWITCH_API_URL',
  'TWITCH_AUTH_URL',
  'IGDB_API_URL',
  'YOUTUBE_API_URL',
  'BLUESKY_API_URL',
] as const;

type Variable = (typeof COLLECT_VARIABLES)[number];

type Environment = Readonly<Record<string, string | undefined>>;

/** Addresses that the platforms document. */
const DEFAULT_URLS: Readonly<Record<string, string>> = {
  TWITCH_API_URL: 'https://api.twitch.tv/helix',
  TWITCH_AUTH_URL: 'https://id.twitch.tv/oauth2',
  IGDB_API_URL: 'https://api.igdb.com/v4',
  YOUTUBE_API_URL: 'https://www.googleapis.com/youtube/v3',
  BLUESKY_API_URL: 'https://public.api.bsky.app/xrpc',
};

const URL_VARIABLES: Readonly<Record<CollectSource, Variable>> = {
  twitch: 'TWITCH_API_URL',
  youtube: 'YOUTUBE_API_URL',
  bluesky: 'BLUESKY_API_URL',
  igdb: 'IGDB_API_URL',
};

const CREDENTIALS: Readonly<Record<CollectSource, readonly Variable[]>> = {
  twitch: ['TWITCH_CLIENT_ID', 'TWITCH_CLIENT_SECRET'],
  igdb: ['TWITCH_CLIENT_ID', 'TWITCH_CLIENT_SECRET'],
  youtube: ['YOUTUBE_API_KEY'],
  bluesky: [],
};

/** How a source is reached. */
export interface ApiAccess {
  /** Address of the API, without a final slash. */
  readonly url: string;
  readonly credentials: Credentials;
}

export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'application'; readonly tokenUrl: string; readonly id: string; readonly secret: string };

/** Names the variables with the credentials of a source, for messages. */
export const credentialNames = (source: CollectSource): string => CREDENTIALS[source].join(' and ');

/** Reads how a source is reached. @throws ConfigError, OperatorError without the invalid value, which may be a secret */
export function readAccess(source: CollectSource, environment: Environment): ApiAccess {
  const missing = CREDENTIALS[source].filter((name) => (environment[name] ?? '') === '');
  if (missing.length > 0) {
    throw new OperatorError(
      'invalid_setting',
      `collect ${source} needs ${missing.join(' and ')}: see docs/collecting.md`,
    );
  }
  // A character that no header can hold would be reported with the value.
  for (const name of CREDENTIALS[source]) {
    if (!/^[!-~]+$/.test(environment[name] ?? '')) throw new ConfigError(`${name} must be ASCII without spaces`);
  }
  return { url: readUrl(URL_VARIABLES[source], environment), credentials: readCredentials(source, environment) };
}

function readCredentials(source: CollectSource, environment: Environment): Credentials {
  if (source === 'bluesky') return { kind: 'none' };
  if (source === 'youtube') return { kind: 'key', key: environment.YOUTUBE_API_KEY ?? '' };
  return {
    kind: 'application',
    tokenUrl: `${readUrl('TWITCH_AUTH_URL', environment)}/token`,
    id: environment.TWITCH_CLIENT_ID ?? '',
    secret: environment.TWITCH_CLIENT_SECRET ?? '',
  };
}

function readUrl(name: Variable, environment: Environment): string {
  const text = environment[name] === '' ? undefined : environment[name];
  const url = text ?? DEFAULT_URLS[name] ?? '';
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const isPlain = parsed !== null && [parsed.username, parsed.password, parsed.search, parsed.hash].join('') === '';
  if (!isPlain || !/^https?:$/.test(parsed.protocol)) {
    throw new ConfigError(`${name} must be an http or https URL without user and query, such as ${DEFAULT_URLS[name]}`);
  }
  return trimEnd(url, '/');
}

/** Returns the sources whose credentials are set, and the first problem with their settings; null: there is none. */
export function checkSettings(environment: Environment): { sources: CollectSource[]; problem: string | null } {
  const names = (source: CollectSource) => [...CREDENTIALS[source], URL_VARIABLES[source]];
  const sources = COLLECT_SOURCES.filter((source) => names(source).some((name) => (environment[name] ?? '') !== ''));
  for (const source of sources) {
    try {
      readAccess(source, environment);
    } catch (error) {
      return { sources, problem: (error as Error).message };
    }
  }
  return { sources, problem: null };
}
