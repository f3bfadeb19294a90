/** Whether a saved request carries a token or a session: nobody should keep these, least of all in a file of rejects. */
export function carriesCredentials(text: string): boolean {
  return text.includes('uthorization') || text.includes('UTHORIZATION') ? AUTHORIZATION.test(text) : false;
}

/** A member, or a `{"name":"authorization"}` as HAR files have it. */
const AUTHORIZATION = /(?<!\\)"(?:proxy-)?authorization"\s*:|"name"\s*:\s*"(?:proxy-)?authorization"/i;

export const CREDENTIALS =
  'it carries an authorization header: save the address and the body without the headers of the request, and renew that token';

const SECRET = /([?&](?:access_token|client_secret|key|token)=)[^&"\s\\]+/gi;

/** A text as it may be shown: keys in addresses are left out. */
export function withoutSecrets(text: string): string {
  return text.replace(SECRET, '$1...');
}
