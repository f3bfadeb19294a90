import * as z from 'zod';
import type { MappingResult, Mapper } from '../fragment.js';
import { isObject, type JsonObject } from '../json-object.js';
import { createCommentCount, Findings, createSum } from '../reading/findings.js';
import { DocumentSchema } from '../reading/document-schema.js';
import { count, id, instant, optionalObject, optionalObjects, text } from '../reading/member-schemas.js';
import { getObject } from '../reading/responses.js';
import { postUrl, fullSizePicture, unescapeEntities } from '../x/text.js';

const TYPE_PREFIX = 'snscrape.modules.twitter.';

const tweets = new DocumentSchema(
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
    user: optionalObject({ id, id_str: text, username: text }),
  },
  `_type bookmarkedCount card cashtags conversationId conversationIdStr coordinates hashtags inReplyToTweetId
   inReplyToTweetIdStr inReplyToUser lang links mentionedUsers outlinks place possibly_sensitive quoteCount
   quotedTweet renderedContent retweetCount retweetedTweet source sourceLabel sourceUrl tcooutlinks textLinks
   bookmarkCount pinned isQuoteStatus`.split(/\s+/),
);

const users = new DocumentSchema(
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
    descriptionLinks: optionalObjects({ url: text }),
    descriptionUrls: optionalObjects({ url: text }),
    linkUrl: text,
  },
  `_type blue blueType created descriptionLinks favouritesCount friendsCount label link linkTcoUrl listedCount location
   mediaCount pinnedIds protected renderedDescription statusesCount url verified`.split(/\s+/),
);

/** Mapper of the lines of twscrape, and of snscrape, whose format twscrape kept. */
export const twscrape: Mapper = {
  source: 'twscrape',

  recognises: (document) =>
    isObject(document) && typeof document._type === 'string' && document._type.startsWith(TYPE_PREFIX),

  map(document, context): MappingResult {
    const findings = new Findings(context.fetchedAt);
    if (!isObject(document)) return findings;
    const type = typeof document._type === 'string' ? document._type.slice(TYPE_PREFIX.length) : '';
    if (type === 'Tweet') mapTweet(document, findings);
    else if (type === 'User') mapUser(document, '', findings);
    else if (type === '') findings.reject('_type', 'is missing');
    else findings.skip(`twscrape ${type}`);
    return findings;
  },
};

function mapTweet(item: JsonObject, findings: Findings): void {
  if (isObject(item.retweetedTweet)) return findings.skip('repost');
  const tweet = tweets.parse(item, '', findings);
  const tweetId =
    tweet && findings.requireId(tweet.id_str ?? /\/status\/(\d+)/.exec(tweet.url ?? '')?.[1] ?? tweet.id, '', 'id');
  if (!tweetId) return;
  const { user } = tweet;
  const authorId = user?.id_str ?? user?.id;
  // snscrape unescapes entities itself, and adds the member `renderedContent`.
  const isUnescaped = 'renderedContent' in item || !('rawContent' in item);
  const body = tweet.rawContent ?? tweet.content;
  findings.addContent('microblog_platform', tweetId, authorId ? { id: authorId } : null, {
    type: 'post',
    description: body && !isUnescaped ? unescapeEntities(body) : body,
    created_at: tweet.date,
    duration: durationOf(item),
    url: postUrl(user?.username, tweetId),
    statistics: {
      views: createSum(tweet.viewCount ?? undefined),
      likes: createSum(tweet.likeCount ?? undefined),
      comments: createCommentCount(tweet.replyCount ?? undefined),
    },
  });
  const author = getObject(item, 'user');
  if (author !== null) mapUser(author, 'user', findings);
}

/** Returns the duration of the video, if there is exactly one. twscrape has milliseconds, snscrape has seconds. */
function durationOf({ media }: JsonObject): number | undefined {
  const isList = Array.isArray(media);
  const candidates = isList
    ? (media as unknown[])
    : isObject(media) && Array.isArray(media.videos)
      ? (media.videos as unknown[])
      : [];
  const videos = candidates.filter(isObject).filter(({ _type }) => !isList || _type === `${TYPE_PREFIX}Video`);
  const duration = videos.length === 1 ? videos[0]?.duration : undefined;
  return typeof duration === 'number' && duration >= 0 ? Math.round(isList ? duration * 1000 : duration) : undefined;
}

function mapUser(item: JsonObject, itemPath: string, findings: Findings): void {
  const user = users.parse(item, itemPath, findings);
  const userId = user && findings.requireId(user.id_str ?? user.id, itemPath, 'id');
  if (!userId) return;
  const { username } = user;
  const links = [...(user.descriptionLinks ?? []), ...(user.descriptionUrls ?? [])];
  findings.addProfile(
    'microblog_platform',
    userId,
    {
      name: username,
      display_name: user.displayname,
      url: username && `https://x.com/${username}`,
      description: user.rawDescription ?? user.description,
      profile_image: fullSizePicture(user.profileImageUrl),
      banner_image: user.profileBannerUrl,
      statistics: { followers: user.followersCount },
    },
    { links: [user.linkUrl, ...links.map(({ url }) => url)] },
  );
}
