import type { DocumentContext, Mapped, Mapper } from '../fragment.js';
import { Findings } from '../reading/findings.js';
import { eachOf, firstOf, inner, isItem, type Item, shown, wentTo } from '../reading/responses.js';
import { isPost, mapPost, type Beside } from './posts.js';
import { isUser, mapUser } from './users.js';

const wentToX = (context: DocumentContext): boolean =>
  wentTo(context, 'api.x.com') || wentTo(context, 'api.twitter.com');

/** The X API v2, with its old names and its new ones; pages as twarc saves them, and flattened posts. */
export const x: Mapper = {
  source: 'x',

  recognises(document, context) {
    if (!isItem(document)) return false;
    if (wentToX(context)) return true;
    if (problemsOf(document).some(({ type }) => /^https:\/\/api\.(?:twitter|x)\.com\//.test(shown(type)))) return true;
    const data = inner(document, 'data') ?? firstOf(document, 'data');
    if (data === null) return false;
    if (isPost(data)) return true;
    return isUser(data) && ('data' in document || 'public_metrics' in data || 'most_recent_tweet_id' in data);
  },

  map(document, context): Mapped {
    const found = new Findings(context.fetchedAt);
    if (isItem(document)) mapResponse(document, found, context);
    return found;
  },
};

function mapResponse(document: Item, found: Findings, context: DocumentContext): void {
  if (typeof document.title === 'string' && 'detail' in document) {
    return found.reject('', `an error response of X: ${document.title}`);
  }
  // Who and what X does not give is told beside the rest, or instead of it.
  const problems = problemsOf(document);
  for (const { title } of problems) found.skip(`not given by X: ${shown(title)}`);
  if (!('data' in document) && problems.length > 0) return;
  if (isItem(document.meta) && document.meta.result_count === 0 && !('data' in document)) {
    return found.skip('empty page');
  }
  const includes = inner(document, 'includes') ?? {};
  const users = listIn(includes, 'users');
  const beside: Beside = { handles: handlesOf(users), media: byKey(listIn(includes, 'media')) };
  const single = inner(document, 'data');
  if (single !== null) mapOne(single, 'data', found, beside, context);
  else eachOf(document, 'data', found, (item, place) => mapOne(item, place, found, beside, context));
  for (const [index, user] of users.entries()) mapUser(user, `includes.users[${index}]`, found);
  // Posts that others refer to are there to understand these.
  const others = [...listIn(includes, 'tweets'), ...listIn(includes, 'posts')];
  for (let index = 0; index < others.length; index += 1) found.skip('post that another refers to');
}

function mapOne(item: Item, place: string, found: Findings, beside: Beside, context: DocumentContext): void {
  if (!isPost(item) && !('text' in item)) {
    if (isUser(item)) mapUser(item, place, found);
    else found.reject(place, 'neither a user nor a post');
    return;
  }
  mapPost(item, place, found, beside, context);
  const author = inner(item, 'author');
  if (author !== null && isUser(author)) mapUser(author, place === '' ? 'author' : `${place}.author`, found);
}

const listIn = (item: Item, name: string): Item[] =>
  Array.isArray(item[name]) ? (item[name] as unknown[]).filter(isItem) : [];

const problemsOf = (document: Item): Item[] => listIn(document, 'errors');

function handlesOf(users: readonly Item[]): ReadonlyMap<string, string> {
  const handles = new Map<string, string>();
  for (const { id, username } of users) {
    if (typeof username === 'string') handles.set(shown(id), username);
  }
  return handles;
}

const byKey = (media: readonly Item[]): ReadonlyMap<string, Item> =>
  new Map(media.map((medium) => [shown(medium.media_key), medium]));
