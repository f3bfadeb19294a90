import { stat } from 'node:fs/promises';

/** Tells files apart, whatever they are called; null where there is none. */
export async function identityOf(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? null : `${found.dev} ${found.ino}`;
}
