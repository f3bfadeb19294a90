/** Where an object stands in its document: `data[3]`, or nothing for the document itself. */
export type Place = string;

/** The path of a member: `data[3].snippet.title`. */
export function join(place: Place, path: readonly PropertyKey[]): string {
  let joined = place;
  for (const step of path) {
    if (typeof step === 'number') joined += `[${step}]`;
    else joined += joined === '' ? String(step) : `.${String(step)}`;
  }
  return joined;
}
