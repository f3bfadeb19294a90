import type { DocumentContext, MappingResult, Mapper } from '../fragment.js';
import { isObject, type JsonObject } from '../json-object.js';
import { Findings } from '../reading/findings.js';
import { forEachItem, firstItem, getObject, formatValue, isRequestTo } from '../reading/responses.js';
import { isPost, mapPost, type Includes } from './posts.js';
import { isUser, mapUser } from './users.js';

const isXRequest = (context: DocumentContext): boolean =>
  isRequestTo(context, 'api.x.com') || isRequestTo(context, 'api.twitter.com');

/** Mapper of the X API v2, with its old and new member names, pages saved by twarc, and flattened posts. */
export const x: Mapper = {
  source: 'x',

  recognises(document, context) {
    if (!isObject(document)) return false;
    if (isXRequest(context)) return true;
    if (problemsOf(document).some(({ type }) => /^https:\/\/api\.(?:twitter|x)\.com\//.test(formatValue(type))))
      return true;
    const data = getObject(document, 'data') ?? firstItem(document, 'data');
    if (data === null) return false;
    if (isPost(data)) return true;
    return isUser(data) && ('data' in document || 'public_metrics' in data || 'most_recent_tweet_id' in data);
  },

  map(document, context): MappingResult {
    const findings = new Findings(context.fetchedAt);
    if (isObject(document)) mapResponse(document, findings, context);
    return findings;
  },
};

function mapResponse(document: JsonObject, findings: Findings, context: DocumentContext): void {
  if (typeof document.title === 'string' && 'detail' in document) {
    return findings.reject('', `error response from X: ${document.title}`);
  }
  // X lists what it withholds in `errors`, beside the data or instead of it.
  const problems = problemsOf(document);
  for (const { title } of problems) findings.skip(`not given by X: ${formatValue(title)}`);
  if (!('data' in document) && problems.length > 0) return;
  if (isObject(document.meta) && document.meta.result_count === 0 && !('data' in document)) {
    return findings.skip('empty page');
  }
  const included = getObject(document, 'includes') ?? {};
  const users = listIn(included, 'users');
  const includes: Includes = { handles: handlesOf(users), media: byKey(listIn(included, 'media')) };
  const single = getObject(document, 'data');
  if (single !== null) mapItem(single, 'data', findings, includes, context);
  else
    forEachItem(document, 'data', findings, (item, itemPath) => mapItem(item, itemPath, findings, includes, context));
  for (const [index, user] of users.entries()) mapUser(user, `includes.users[${index}]`, findings);
  // Referenced posts are included only as context.
  const referencedPosts = [...listIn(included, 'tweets'), ...listIn(included, 'posts')];
  for (let index = 0; index < referencedPosts.length; index += 1) findings.skip('post that another refers to');
}

function mapItem(
  item: JsonObject,
  itemPath: string,
  findings: Findings,
  includes: Includes,
  context: DocumentContext,
): void {
  if (!isPost(item) && !('text' in item)) {
    if (isUser(item)) mapUser(item, itemPath, findings);
    else findings.reject(itemPath, 'must be a user or a post');
    return;
  }
  mapPost(item, itemPath, findings, includes, context);
  const author = getObject(item, 'author');
  if (author !== null && isUser(author)) mapUser(author, itemPath === '' ? 'author' : `${itemPath}.author`, findings);
}

const listIn = (item: JsonObject, name: string): JsonObject[] =>
  Array.isArray(item[name]) ? (item[name] as unknown[]).filter(isObject) : [];

const problemsOf = (document: JsonObject): JsonObject[] => listIn(document, 'errors');

function handlesOf(users: readonly JsonObject[]): ReadonlyMap<string, string> {
  const handles = new Map<string, string>();
  for (const { id, username } of users) {
    if (typeof username === 'string') handles.set(formatValue(id), username);
  }
  return handles;
}

const byKey = (media: readonly JsonObject[]): ReadonlyMap<string, JsonObject> =>
  new Map(media.map((medium) => [formatValue(medium.media_key), medium]));
