import type { DocumentContext } from '../fragment.js';
import type { JsonObject } from '../json-object.js';
import type { Findings } from '../reading/findings.js';
import { DocumentSchema } from '../reading/document-schema.js';
import { count } from '../reading/member-schemas.js';

const kind = new DocumentSchema('followers', { total: count }, ['data', 'pagination']);

/** Reports whether a document has the members of a response of `GET /helix/channels/followers`. */
export function isFollowers(document: JsonObject): boolean {
  if (typeof document.total !== 'number' || !Array.isArray(document.data)) return false;
  const [first] = document.data as unknown[];
  return first === undefined || (typeof first === 'object' && first !== null && 'followed_at' in first);
}

/** Maps `GET /helix/channels/followers`: a number of followers. Only the request identifies the channel. */
export function mapFollowers(document: JsonObject, findings: Findings, { url }: DocumentContext): void {
  const followers = kind.parse(document, '', findings);
  if (followers === null) return;
  const broadcaster = url?.searchParams.get('broadcaster_id') ?? null;
  if (broadcaster === null || broadcaster === '') {
    findings.reject('', 'a followers response does not identify its channel: wrap it with the url of its request');
    return;
  }
  if (followers.total === undefined || followers.total === null) return findings.reject('total', 'is missing');
  findings.addProfile('live_platform', broadcaster, { statistics: { followers: followers.total } });
}
