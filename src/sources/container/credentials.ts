/** Reports whether a saved request contains an authorization header. Its token must not reach the file of rejects. */
export function hasCredentials(text: string): boolean {
  return text.includes('uthorization') || text.includes('UTHORIZATION') ? AUTHORIZATION.test(text) : false;
}

/** Matches an `authorization` member, or `"name":"authorization"` as HAR files write it. */
const AUTHORIZATION = /(?<!\\)"(?:proxy-)?authorization"\s*:|"name"\s*:\s*"(?:proxy-)?authorization"/i;

export const CREDENTIALS_PROBLEM =
  'contains an authorization header: save the url and the body without the request headers, and revoke that token';

const SECRET_PARAMETER = /([?&](?:access_token|client_secret|key|token)=)[^&"\s\\]+/gi;

/** Replaces tokens and keys in URLs by `...`. */
export function redactSecrets(text: string): string {
  return text.replace(SECRET_PARAMETER, '$1...');
}
