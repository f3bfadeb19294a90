/** A value that the test relies on. @throws if it is not there, rather than test something else */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('the test relies on a value that is not there');
  return value;
}
