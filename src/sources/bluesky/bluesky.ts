import type { Mapped, Mapper } from '../fragment.js';
import { commentsOf, Findings, sumOf } from '../reading/findings.js';
import { Kind } from '../reading/kind.js';
import { count, id, instant, part, text } from '../reading/members.js';
import { join } from '../reading/place.js';
import { eachOf, inner, isItem, type Item, shown } from '../reading/responses.js';

const profiles = new Kind(
  'profiles',
  { did: id, handle: text, displayName: text, description: text, avatar: text, banner: text, followersCount: count },
  `$type associated createdAt debug followsCount indexedAt joinedViaStarterPack labels pinnedPost postsCount pronouns
   status verification viewer website`.split(/\s+/),
);

const posts = new Kind(
  'posts',
  {
    uri: id,
    author: part({ did: id, handle: text, displayName: text, avatar: text }),
    record: part({ text, createdAt: instant }),
    indexedAt: instant,
    likeCount: count,
    replyCount: count,
  },
  '$type bookmarkCount cid debug embed labels quoteCount repostCount threadgate viewer'.split(' '),
);

/** Bluesky, beside X on the same platform; so it is read only where somebody asks for it by name. */
export const bluesky: Mapper = {
  source: 'bluesky',

  recognises: () => false,

  map(document, context): Mapped {
    const found = new Findings(context.fetchedAt);
    if (isItem(document)) mapResponse(document, found);
    return found;
  },
};

function mapResponse(document: Item, found: Findings): void {
  if (typeof document.error === 'string') {
    return found.reject('', `an error response of Bluesky: ${document.error}`);
  }
  if (Array.isArray(document.feed)) eachOf(document, 'feed', found, (item, place) => mapEntry(item, place, found));
  else if (Array.isArray(document.posts))
    eachOf(document, 'posts', found, (item, place) => mapPost(item, place, found));
  else if (Array.isArray(document.profiles)) {
    eachOf(document, 'profiles', found, (item, place) => mapProfile(item, place, found));
  } else if ('did' in document) mapProfile(document, '', found);
  else if ('uri' in document) mapPost(document, '', found);
  else if ('post' in document) mapEntry(document, '', found);
  else found.reject('', 'no known response of Bluesky: profiles, posts and feeds are read');
}

/** An entry of a feed. What is there for another reason than its author is a repost. */
function mapEntry(item: Item, place: string, found: Findings): void {
  const reason = inner(item, 'reason');
  if (reason !== null && !shown(reason.$type).endsWith('#reasonPin')) return found.skip('repost');
  const post = inner(item, 'post');
  if (post === null) found.reject(join(place, ['post']), 'is missing');
  else mapPost(post, join(place, ['post']), found);
}

function mapPost(item: Item, place: string, found: Findings): void {
  const post = posts.read(item, place, found);
  const uri = post && found.idOf(post.uri, place, 'uri');
  if (!uri) return;
  const { author, record } = post;
  const did = author?.did ?? /^at:\/\/(did:[^/]+)/.exec(uri)?.[1] ?? null;
  const owner = author?.handle ?? did;
  found.content('microblog_platform', uri, did === null ? null : { id: did }, {
    type: 'post',
    title: null,
    description: record?.text,
    created_at: record?.createdAt ?? post.indexedAt,
    url: owner === null ? undefined : `https://bsky.app/profile/${owner}/post/${uri.slice(uri.lastIndexOf('/') + 1)}`,
    statistics: { likes: sumOf(post.likeCount), comments: commentsOf(post.replyCount) },
  });
  if (!author?.did) return;
  found.profile('microblog_platform', author.did, {
    name: author.handle,
    display_name: author.displayName,
    url: pageOf(author.handle),
    profile_image: author.avatar,
  });
}

const pageOf = (handle: string | null | undefined) => handle && `https://bsky.app/profile/${handle}`;

function mapProfile(item: Item, place: string, found: Findings): void {
  const profile = profiles.read(item, place, found);
  const did = profile && found.idOf(profile.did, place, 'did');
  if (!did) return;
  found.profile('microblog_platform', did, {
    name: profile.handle,
    display_name: profile.displayName,
    url: pageOf(profile.handle),
    description: profile.description,
    profile_image: profile.avatar,
    banner_image: profile.banner,
    statistics: { followers: profile.followersCount },
  });
}
