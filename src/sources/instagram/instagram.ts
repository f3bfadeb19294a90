import type { Author, DocumentContext, MappingResult, Mapper } from '../fragment.js';
import { isObject, type JsonObject } from '../json-object.js';
import { Findings } from '../reading/findings.js';
import { joinPath } from '../reading/member-path.js';
import { forEachItem, firstItem, getObject, formatValue, isRequestTo } from '../reading/responses.js';
import { isMedia, mapMedia } from './media.js';
import { isUser, mapUser, readUser } from './users.js';

const isAccountOrMedia = (item: JsonObject): boolean => isMedia(item) || isUser(item);

const isGraphRequest = (context: DocumentContext): boolean =>
  isRequestTo(context, 'graph.instagram.com') ||
  (isRequestTo(context, 'graph.facebook.com') && /business_discovery|ig_id|media_type/.test(context.url?.search ?? ''));

/** Mapper of the Instagram Graph API: Business Discovery, and the requester's own accounts. */
export const instagram: Mapper = {
  source: 'instagram',

  recognises(document, context) {
    if (!isObject(document)) return false;
    if (isGraphRequest(context) || isObject(document.business_discovery)) return true;
    const item = firstItem(document, 'data') ?? document;
    return isAccountOrMedia(item) || entriesById(document).some(([, one]) => isAccountOrMedia(one));
  },

  map(document, context): MappingResult {
    const findings = new Findings(context.fetchedAt);
    if (isObject(document)) mapResponse(document, findings, context);
    return findings;
  },
};

function mapResponse(document: JsonObject, findings: Findings, context: DocumentContext): void {
  const error = getObject(document, 'error');
  if (error !== null) {
    return findings.reject(
      '',
      `error response from Instagram: ${formatValue(error.code)} ${formatValue(error.message)}`,
    );
  }
  // The ID beside `business_discovery` is the requesting account's.
  const discovered = getObject(document, 'business_discovery');
  if (discovered !== null) return mapAccount(discovered, 'business_discovery', findings, handleIn(context));
  const entries = entriesById(document);
  if (entries.length > 0) {
    for (const [id, item] of entries) mapOne(item, id, findings, null);
    return;
  }
  const owner = /\/(\d+)\/media\/?$/.exec(context.url?.pathname ?? '')?.[1];
  forEachItem(document, 'data', findings, (item, itemPath) =>
    mapOne(item, itemPath, findings, owner ? { id: owner } : null),
  );
}

function mapOne(item: JsonObject, itemPath: string, findings: Findings, owner: Author | null): void {
  if (isUser(item) || isObject(item.media)) mapAccount(item, itemPath, findings, null);
  else if (isMedia(item) || 'permalink' in item || 'media_product_type' in item) {
    mapMedia(item, itemPath, findings, typeof item.username === 'string' ? null : owner);
  } else findings.reject(itemPath, 'must be an account or a media item: request username, or permalink and media_type');
}

/** Maps an account with a page of its items. From the second page on, the account contains only its ID. */
function mapAccount(item: JsonObject, itemPath: string, findings: Findings, requestedHandle: string | null): void {
  const user = readUser(item, itemPath, findings);
  if (user === null) return;
  const handle = user.username ?? requestedHandle;
  const hasFields = Object.keys(item).some((name) => name !== 'id' && name !== 'ig_id' && name !== 'media');
  if (hasFields) mapUser(user, itemPath, findings, handle);
  const media = getObject(item, 'media');
  if (media === null) {
    if (!hasFields) findings.reject(itemPath, 'contains only an ID: request username and followers_count');
    return;
  }
  // A page without `ig_id` is attributed by the handle, which other pages pair with the `ig_id`.
  const author: Author | null = user.ig_id
    ? { id: user.ig_id }
    : handle !== null
      ? { handle }
      : user.id
        ? { id: user.id }
        : null;
  forEachItem(media, 'data', findings, (one, at) =>
    mapMedia(one, joinPath(itemPath, [`media.${at}`]), findings, author),
  );
}

/** Lists accounts or items by ID, as the response to a batch of IDs contains them; empty for other responses. */
function entriesById(document: JsonObject): [string, JsonObject][] {
  const entries = Object.entries(document);
  return entries.length > 0 && entries.every(([id, item]) => /^\d+$/.test(id) && isObject(item))
    ? (entries as [string, JsonObject][])
    : [];
}

/** Returns the handle that a Business Discovery request names. */
function handleIn({ url }: DocumentContext): string | null {
  return /business_discovery\.username\(([^()]+)\)/.exec(url?.searchParams.get('fields') ?? '')?.[1] ?? null;
}
