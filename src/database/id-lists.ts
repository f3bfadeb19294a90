/** IDs that fit into one statement whatever their length: the longest ones fill a third of the smallest recommended packet. */
export const MAX_UNCHECKED_IDS = 256;

/** Maximum bytes of IDs in one statement, before escaping, which at most doubles them. */
const MAX_ID_LIST_BYTES = 256 * 1024;

/** Splits IDs into lists that each fit into one message to the server. */
export function splitIds(ids: readonly (string | number)[]): (string | number)[][] {
  const lists: (string | number)[][] = [];
  let list: (string | number)[] = [];
  let bytes = 0;
  for (const id of ids) {
    bytes += Buffer.byteLength(String(id)) + 4;
    if (bytes > MAX_ID_LIST_BYTES) {
      lists.push(list);
      list = [];
      bytes = 0;
    }
    list.push(id);
  }
  return [...lists, list];
}
