import type { OpenAPIObject } from '@nestjs/swagger';

/** Renders `/robots.txt`: crawlers may read the pages, but not the paths that need a key. */
export function renderRobots({ paths }: OpenAPIObject): string {
  const needKey = Object.entries(paths).filter(([, { get, post }]) =>
    [get, post].some((operation) => (operation?.security ?? []).length > 0),
  );
  const roots = new Set(needKey.map(([path]) => /^\/[^/]+\/?/.exec(path)?.[0] ?? path));
  return ['User-agent: *', ...[...roots, '/mcp'].map((root) => `Disallow: ${root}`), ''].join('\n');
}
