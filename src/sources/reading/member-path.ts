/** Path of an object in its document, such as `data[3]`; empty for the document itself. */
export type MemberPath = string;

/** Formats the path of a member, such as `data[3].snippet.title`. */
export function joinPath(itemPath: MemberPath, path: readonly PropertyKey[]): string {
  let joined = itemPath;
  for (const step of path) {
    if (typeof step === 'number') joined += `[${step}]`;
    else joined += joined === '' ? String(step) : `.${String(step)}`;
  }
  return joined;
}
