/** Returns a value that the test relies on. @throws Error if it is null or undefined */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('the test relies on a value that is null or undefined');
  return value;
}
