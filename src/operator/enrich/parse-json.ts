import { isTooDeep } from '../../model/json-depth.js';

/** Parses JSON. @returns null if it is invalid, whose error would repeat its text, or nested too deeply */
export function parseJson(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return isTooDeep(value) ? null : value;
  } catch {
    return null;
  }
}
