/** Parses comma-separated web origins, or `*` for every origin. @returns [] if any of them is not an origin */
export function parseOrigins(text: string): readonly string[] | '*' {
  if (text.trim() === '*') return '*';
  const origins = text.split(',').map((part) => parseOrigin(part.trim()));
  return origins.every((origin) => origin !== null) ? [...new Set(origins)] : [];
}

/** Normalizes an origin as browsers send it, without a default port; null for anything else. */
function parseOrigin(text: string): string | null {
  if (!/^https?:\/\/[^\s/?#@*]+\/?$/i.test(text) || !URL.canParse(text)) return null;
  return new URL(text).origin;
}
