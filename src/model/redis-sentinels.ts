/** Parsed address of a Redis primary that Sentinels monitor. */
export interface RedisSentinels {
  readonly sentinels: readonly { readonly host: string; readonly port: number }[];
  /** Name of the primary in the configuration of the Sentinels. */
  readonly name: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly db: number;
}

const SENTINEL_PORT = 26_379;

const SENTINEL_URL = new RegExp(
  String.raw`^redis\+sentinel://(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^@/]+)/(?<name>[\w.-]+)(?:/(?<db>\d{1,4}))?$`,
);

/** Parses `redis+sentinel://[user:password@]host[:port],host[:port]/NAME[/DATABASE]`. @returns null for any other text */
export function parseSentinelUrl(url: string): RedisSentinels | null {
  const parts = SENTINEL_URL.exec(url)?.groups;
  if (parts?.hosts === undefined || parts.name === undefined) return null;
  const sentinels = parts.hosts.split(',').map(parseAddress);
  if (!sentinels.every((address) => address !== null)) return null;
  try {
    return {
      sentinels,
      name: parts.name,
      username: decodePart(parts.user),
      password: decodePart(parts.password),
      db: Number(parts.db ?? 0),
    };
  } catch {
    return null;
  }
}

function parseAddress(text: string): { host: string; port: number } | null {
  const [, host, port] = /^([\w.-]+|\[[\da-fA-F:.]+\])(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (host === undefined || Number(port ?? 0) > 65_535) return null;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? SENTINEL_PORT) };
}

/** Decodes a part of the URL; undefined if it is missing or empty. @throws URIError for malformed escapes */
const decodePart = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : decodeURIComponent(text);
