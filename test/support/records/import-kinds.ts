import { IMPORT_KINDS, type ImportKind } from '../../../src/operator/import/parse-line.js';

/** The kind of this name. @throws Error if there is none */
export function importKindOf(name: string): ImportKind {
  const kind = IMPORT_KINDS.find((one) => one === name);
  if (kind === undefined) throw new Error(`no kind ${name}`);
  return kind;
}
