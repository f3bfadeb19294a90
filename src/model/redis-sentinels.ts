/** A Redis whose address its Sentinels know. */
export interface RedisSentinels {
  readonly sentinels: readonly { readonly host: string; readonly port: number }[];
  /** By which they know it. */
  readonly name: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly db: number;
}

const SENTINEL_PORT = 26_379;

const URL_FORM = new RegExp(
  String.raw`^redis\+sentinel://(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^@/]+)/(?<name>[\w.-]+)(?:/(?<db>\d{1,4}))?$`,
);

/** Reads `redis+sentinel://[user:password@]host[:port],host[:port]/NAME[/DATABASE]`. @returns null for anything else */
export function sentinelsOf(url: string): RedisSentinels | null {
  const parts = URL_FORM.exec(url)?.groups;
  if (parts?.hosts === undefined || parts.name === undefined) return null;
  const sentinels = parts.hosts.split(',').map(addressOf);
  if (!sentinels.every((address) => address !== null)) return null;
  try {
    return {
      sentinels,
      name: parts.name,
      username: decoded(parts.user),
      password: decoded(parts.password),
      db: Number(parts.db ?? 0),
    };
  } catch {
    return null;
  }
}

function addressOf(text: string): { host: string; port: number } | null {
  const [, host, port] = /^([\w.-]+|\[[\da-fA-F:.]+\])(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (host === undefined || Number(port ?? 0) > 65_535) return null;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? SENTINEL_PORT) };
}

/** @throws URIError */
const decoded = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : decodeURIComponent(text);
