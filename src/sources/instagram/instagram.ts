import type { Author, DocumentContext, Mapped, Mapper } from '../fragment.js';
import { Findings } from '../reading/findings.js';
import { join } from '../reading/place.js';
import { eachOf, firstOf, inner, isItem, type Item, shown, wentTo } from '../reading/responses.js';
import { isMedia, mapMedia } from './media.js';
import { isUser, mapUser, readUser } from './users.js';

const isOwn = (item: Item): boolean => isMedia(item) || isUser(item);

const isGraph = (context: DocumentContext): boolean =>
  wentTo(context, 'graph.instagram.com') ||
  (wentTo(context, 'graph.facebook.com') && /business_discovery|ig_id|media_type/.test(context.url?.search ?? ''));

/** The Instagram Graph API: Business Discovery, and accounts of one's own. */
export const instagram: Mapper = {
  source: 'instagram',

  recognises(document, context) {
    if (!isItem(document)) return false;
    if (isGraph(context) || isItem(document.business_discovery)) return true;
    const item = firstOf(document, 'data') ?? document;
    return isOwn(item) || byId(document).some(([, one]) => isOwn(one));
  },

  map(document, context): Mapped {
    const found = new Findings(context.fetchedAt);
    if (isItem(document)) mapResponse(document, found, context);
    return found;
  },
};

function mapResponse(document: Item, found: Findings, context: DocumentContext): void {
  const error = inner(document, 'error');
  if (error !== null) {
    return found.reject('', `an error response of Instagram: ${shown(error.code)} ${shown(error.message)}`);
  }
  // The ID beside it is the asking account's.
  const discovered = inner(document, 'business_discovery');
  if (discovered !== null) return mapAccount(discovered, 'business_discovery', found, handleIn(context));
  const several = byId(document);
  if (several.length > 0) {
    for (const [id, item] of several) mapOne(item, id, found, null);
    return;
  }
  const owner = /\/(\d+)\/media\/?$/.exec(context.url?.pathname ?? '')?.[1];
  eachOf(document, 'data', found, (item, place) => mapOne(item, place, found, owner ? { id: owner } : null));
}

function mapOne(item: Item, place: string, found: Findings, owner: Author | null): void {
  if (isUser(item) || isItem(item.media)) mapAccount(item, place, found, null);
  else if (isMedia(item) || 'permalink' in item || 'media_product_type' in item) {
    mapMedia(item, place, found, typeof item.username === 'string' ? null : owner);
  } else found.reject(place, 'neither an account nor an item: ask for username, or for permalink and media_type');
}

/** An account with a page of its items; of the second page on, it has an ID and nothing else. */
function mapAccount(item: Item, place: string, found: Findings, asked: string | null): void {
  const user = readUser(item, place, found);
  if (user === null) return;
  const handle = user.username ?? asked;
  const says = Object.keys(item).some((name) => name !== 'id' && name !== 'ig_id' && name !== 'media');
  if (says) mapUser(user, place, found, handle);
  const media = inner(item, 'media');
  if (media === null) {
    if (!says) found.reject(place, 'nothing but an ID: ask for username and followers_count');
    return;
  }
  // A page without the lasting ID is joined by the handle with one that has it.
  const author: Author | null = user.ig_id
    ? { id: user.ig_id }
    : handle !== null
      ? { handle }
      : user.id
        ? { id: user.id }
        : null;
  eachOf(media, 'data', found, (one, at) => mapMedia(one, join(place, [`media.${at}`]), found, author));
}

/** Accounts or items under their IDs, as the answer to several of them at once has it. */
function byId(document: Item): [string, Item][] {
  const entries = Object.entries(document);
  return entries.length > 0 && entries.every(([id, item]) => /^\d+$/.test(id) && isItem(item))
    ? (entries as [string, Item][])
    : [];
}

/** The handle that a request of Business Discovery asks for. */
function handleIn({ url }: DocumentContext): string | null {
  return /business_discovery\.username\(([^()]+)\)/.exec(url?.searchParams.get('fields') ?? '')?.[1] ?? null;
}
