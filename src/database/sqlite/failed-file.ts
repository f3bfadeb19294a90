/** Files of failed statements. Not a property of the error, so that logs stay as they are. */
const files = new WeakMap<object, string>();

/** Remembers in which file of the embedded database an error occurred. @returns the error */
export function inFile(error: unknown, path: string): unknown {
  if (typeof error === 'object' && error !== null) files.set(error, path);
  return error;
}

/** Returns the file of the embedded database in which an error occurred; undefined if it is not known. */
export const failedFile = (error: object): string | undefined => files.get(error);
