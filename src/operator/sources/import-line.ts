import { isTooLong, lineTooLong, parseRecord, type ImportKind, type ImportRecords } from '../import/parse-line.js';

/** A line of an import file, or the reason why the record is invalid. */
export type ImportLine<K extends ImportKind> =
  { readonly record: ImportRecords[K]; readonly text: string } | { readonly reason: string; readonly text: string };

/** Validates a record as the import does, and formats its line. */
export function createImportLine<K extends ImportKind>(kind: K, draft: object): ImportLine<K> {
  const parsed = parseRecord(kind, draft);
  if ('reason' in parsed) return { reason: parsed.reason, text: JSON.stringify(draft) };
  const text = JSON.stringify(parsed.record);
  return isTooLong(text) ? { reason: lineTooLong(), text: text.slice(0, 1024) } : { record: parsed.record, text };
}
