import { readFileSync } from 'node:fs';

/** Returns the version of this installation. The relative path works because sources and bundle are equally deep. */
export function version(): string {
  const manifest = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
