import type { DocumentContext } from '../fragment.js';
import type { Findings } from '../reading/findings.js';
import { Kind } from '../reading/kind.js';
import { count } from '../reading/members.js';
import type { Item } from '../reading/responses.js';

const kind = new Kind('followers', { total: count }, ['data', 'pagination']);

/** Whether a response is that of `GET /helix/channels/followers`, from its own members: it names nobody but followers. */
export function isFollowers(document: Item): boolean {
  if (typeof document.total !== 'number' || !Array.isArray(document.data)) return false;
  const [first] = document.data as unknown[];
  return first === undefined || (typeof first === 'object' && first !== null && 'followed_at' in first);
}

/** `GET /helix/channels/followers`: a number of followers. Whose it is, only the request says. */
export function mapFollowers(document: Item, found: Findings, { url }: DocumentContext): void {
  const followers = kind.read(document, '', found);
  if (followers === null) return;
  const broadcaster = url?.searchParams.get('broadcaster_id') ?? null;
  if (broadcaster === null || broadcaster === '') {
    found.reject('', 'followers response without its request: wrap it with its url');
    return;
  }
  if (followers.total === undefined || followers.total === null) return found.reject('total', 'is missing');
  found.profile('live_platform', broadcaster, { statistics: { followers: followers.total } });
}
