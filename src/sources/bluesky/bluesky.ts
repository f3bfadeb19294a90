import type { MappingResult, Mapper } from '../fragment.js';
import { isObject, type JsonObject } from '../json-object.js';
import { createCommentCount, Findings, createSum } from '../reading/findings.js';
import { DocumentSchema } from '../reading/document-schema.js';
import { count, id, instant, optionalObject, text } from '../reading/member-schemas.js';
import { joinPath } from '../reading/member-path.js';
import { forEachItem, getObject, formatValue } from '../reading/responses.js';

const profiles = new DocumentSchema(
  'profiles',
  { did: id, handle: text, displayName: text, description: text, avatar: text, banner: text, followersCount: count },
  `$type associated createdAt debug followsCount indexedAt joinedViaStarterPack labels pinnedPost postsCount pronouns
   status verification viewer website`.split(/\s+/),
);

const posts = new DocumentSchema(
  'posts',
  {
    uri: id,
    author: optionalObject({ did: id, handle: text, displayName: text, avatar: text }),
    record: optionalObject({ text, createdAt: instant }),
    indexedAt: instant,
    likeCount: count,
    replyCount: count,
  },
  '$type bookmarkCount cid debug embed labels quoteCount repostCount threadgate viewer'.split(' '),
);

/**
 * Mapper of Bluesky. It shares a platform with X, so `auto` never selects it: name it as the source.
 */
export const bluesky: Mapper = {
  source: 'bluesky',

  recognises: () => false,

  map(document, context): MappingResult {
    const findings = new Findings(context.fetchedAt);
    if (isObject(document)) mapResponse(document, findings);
    return findings;
  },
};

function mapResponse(document: JsonObject, findings: Findings): void {
  if (typeof document.error === 'string') {
    return findings.reject('', `error response from Bluesky: ${document.error}`);
  }
  if (Array.isArray(document.feed))
    forEachItem(document, 'feed', findings, (item, itemPath) => mapEntry(item, itemPath, findings));
  else if (Array.isArray(document.posts))
    forEachItem(document, 'posts', findings, (item, itemPath) => mapPost(item, itemPath, findings));
  else if (Array.isArray(document.profiles)) {
    forEachItem(document, 'profiles', findings, (item, itemPath) => mapProfile(item, itemPath, findings));
  } else if ('did' in document) mapProfile(document, '', findings);
  else if ('uri' in document) mapPost(document, '', findings);
  else if ('post' in document) mapEntry(document, '', findings);
  else findings.reject('', 'unknown response of Bluesky; supported are profiles, posts and feeds');
}

/** Maps an entry of a feed. An entry with a reason other than a pin is a repost. */
function mapEntry(item: JsonObject, itemPath: string, findings: Findings): void {
  const reason = getObject(item, 'reason');
  if (reason !== null && !formatValue(reason.$type).endsWith('#reasonPin')) return findings.skip('repost');
  const post = getObject(item, 'post');
  if (post === null) findings.reject(joinPath(itemPath, ['post']), 'is missing');
  else mapPost(post, joinPath(itemPath, ['post']), findings);
}

function mapPost(item: JsonObject, itemPath: string, findings: Findings): void {
  const post = posts.parse(item, itemPath, findings);
  const uri = post && findings.requireId(post.uri, itemPath, 'uri');
  if (!uri) return;
  const { author, record } = post;
  const did = author?.did ?? /^at:\/\/(did:[^/]+)/.exec(uri)?.[1] ?? null;
  const profileName = author?.handle ?? did;
  findings.addContent('microblog_platform', uri, did === null ? null : { id: did }, {
    type: 'post',
    title: null,
    description: record?.text,
    created_at: record?.createdAt ?? post.indexedAt,
    url:
      profileName === null
        ? undefined
        : `https://bsky.app/profile/${profileName}/post/${uri.slice(uri.lastIndexOf('/') + 1)}`,
    statistics: { likes: createSum(post.likeCount), comments: createCommentCount(post.replyCount) },
  });
  if (!author?.did) return;
  findings.addProfile('microblog_platform', author.did, {
    name: author.handle,
    display_name: author.displayName,
    url: profileUrl(author.handle),
    profile_image: author.avatar,
  });
}

const profileUrl = (handle: string | null | undefined) => handle && `https://bsky.app/profile/${handle}`;

function mapProfile(item: JsonObject, itemPath: string, findings: Findings): void {
  const profile = profiles.parse(item, itemPath, findings);
  const did = profile && findings.requireId(profile.did, itemPath, 'did');
  if (!did) return;
  findings.addProfile('microblog_platform', did, {
    name: profile.handle,
    display_name: profile.displayName,
    url: profileUrl(profile.handle),
    description: profile.description,
    profile_image: profile.avatar,
    banner_image: profile.banner,
    statistics: { followers: profile.followersCount },
  });
}
