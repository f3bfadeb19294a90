/** Parses JSON. @returns null if it is invalid: the message of the error would repeat its text */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
