import { z } from 'zod';
import type { Mapped, Mapper } from '../fragment.js';
import { commentsOf, Findings, sumOf } from '../reading/findings.js';
import { Kind } from '../reading/kind.js';
import { count, id, instant, part, parts, text } from '../reading/members.js';
import { inner, isItem, type Item } from '../reading/responses.js';
import { addressOf, unescaped } from '../x/text.js';

const TYPES = 'snscrape.modules.twitter.';

const tweets = new Kind(
  'Tweet',
  {
    id,
    id_str: text,
    url: text,
    date: instant,
    rawContent: text,
    content: text,
    viewCount: count,
    likeCount: count,
    replyCount: count,
    media: z.union([z.looseObject({}), z.array(z.unknown())], { error: 'must be an object or an array' }).nullish(),
    user: part({ id, id_str: text, username: text }),
  },
  `_type bookmarkedCount card cashtags conversationId conversationIdStr coordinates hashtags inReplyToTweetId
   inReplyToTweetIdStr inReplyToUser lang links mentionedUsers outlinks place possibly_sensitive quoteCount
   quotedTweet renderedContent retweetCount retweetedTweet source sourceLabel sourceUrl tcooutlinks textLinks
   bookmarkCount pinned isQuoteStatus`.split(/\s+/),
);

const users = new Kind(
  'User',
  {
    id,
    id_str: text,
    username: text,
    displayname: text,
    rawDescription: text,
    description: text,
    followersCount: count,
    profileImageUrl: text,
    profileBannerUrl: text,
    descriptionLinks: parts({ url: text }),
    descriptionUrls: parts({ url: text }),
    linkUrl: text,
  },
  `_type blue blueType created descriptionLinks favouritesCount friendsCount label link linkTcoUrl listedCount location
   mediaCount pinnedIds protected renderedDescription statusesCount url verified`.split(/\s+/),
);

/** The lines of twscrape, and of snscrape, whose shapes it kept. */
export const twscrape: Mapper = {
  source: 'twscrape',

  recognises: (document) => isItem(document) && typeof document._type === 'string' && document._type.startsWith(TYPES),

  map(document, context): Mapped {
    const found = new Findings(context.fetchedAt);
    if (!isItem(document)) return found;
    const type = typeof document._type === 'string' ? document._type.slice(TYPES.length) : '';
    if (type === 'Tweet') mapTweet(document, found);
    else if (type === 'User') mapUser(document, '', found);
    else if (type === '') found.reject('_type', 'is missing');
    else found.skip(`twscrape ${type}`);
    return found;
  },
};

function mapTweet(item: Item, found: Findings): void {
  if (isItem(item.retweetedTweet)) return found.skip('repost');
  const tweet = tweets.read(item, '', found);
  const tweetId =
    tweet && found.idOf(tweet.id_str ?? /\/status\/(\d+)/.exec(tweet.url ?? '')?.[1] ?? tweet.id, '', 'id');
  if (!tweetId) return;
  const { user } = tweet;
  const authorId = user?.id_str ?? user?.id;
  // snscrape undoes the entities itself, and keeps the text as it is shown.
  const isUnescaped = 'renderedContent' in item || !('rawContent' in item);
  const said = tweet.rawContent ?? tweet.content;
  found.content('microblog_platform', tweetId, authorId ? { id: authorId } : null, {
    type: 'post',
    description: said && !isUnescaped ? unescaped(said) : said,
    created_at: tweet.date,
    duration: durationOf(item),
    url: addressOf(user?.username, tweetId),
    statistics: {
      views: sumOf(tweet.viewCount ?? undefined),
      likes: sumOf(tweet.likeCount ?? undefined),
      comments: commentsOf(tweet.replyCount ?? undefined),
    },
  });
  const author = inner(item, 'user');
  if (author !== null) mapUser(author, 'user', found);
}

/** The length of the video, if there is exactly one: twscrape has milliseconds, snscrape seconds. */
function durationOf({ media }: Item): number | undefined {
  const isList = Array.isArray(media);
  const all = isList
    ? (media as unknown[])
    : isItem(media) && Array.isArray(media.videos)
      ? (media.videos as unknown[])
      : [];
  const videos = all.filter(isItem).filter(({ _type }) => !isList || _type === `${TYPES}Video`);
  const duration = videos.length === 1 ? videos[0]?.duration : undefined;
  return typeof duration === 'number' && duration >= 0 ? Math.round(isList ? duration * 1000 : duration) : undefined;
}

function mapUser(item: Item, place: string, found: Findings): void {
  const user = users.read(item, place, found);
  const userId = user && found.idOf(user.id_str ?? user.id, place, 'id');
  if (!userId) return;
  const { username } = user;
  const links = [...(user.descriptionLinks ?? []), ...(user.descriptionUrls ?? [])];
  found.profile(
    'microblog_platform',
    userId,
    {
      name: username,
      display_name: user.displayname,
      url: username && `https://x.com/${username}`,
      description: user.rawDescription ?? user.description,
      profile_image: user.profileImageUrl?.replace(/_normal(\.\w+)$/, '$1') ?? user.profileImageUrl,
      banner_image: user.profileBannerUrl,
      statistics: { followers: user.followersCount },
    },
    { links: [user.linkUrl, ...links.map(({ url }) => url)] },
  );
}
