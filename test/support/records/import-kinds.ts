import { IMPORT_KINDS, type ImportKind } from '../../../src/operator/import/parse-line.js';

/** Returns the kind with a name. @throws Error for an unknown name */
export function importKindOf(name: string): ImportKind {
  const kind = IMPORT_KINDS.find((one) => one === name);
  if (kind === undefined) throw new Error(`unknown import kind: ${name}`);
  return kind;
}
