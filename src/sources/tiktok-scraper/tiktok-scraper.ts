import type { MappingResult, Mapper } from '../fragment.js';
import { isObject, type JsonObject } from '../json-object.js';
import { createCommentCount, Findings, createSum } from '../reading/findings.js';
import { DocumentSchema } from '../reading/document-schema.js';
import {
  count,
  id,
  instant,
  optionalObject,
  secondsDuration,
  text,
  booleanOrText,
  unixSeconds,
} from '../reading/member-schemas.js';
import { forEachItem, firstItem, getObject } from '../reading/responses.js';
import { isSlideshow, tiktokProfileUrl, stripQuery } from '../tiktok/urls.js';

const kind = new DocumentSchema(
  'items',
  {
    id,
    text,
    createTime: unixSeconds,
    createTimeISO: instant,
    scrapedAt: instant,
    webVideoUrl: text,
    isSlideshow: booleanOrText,
    videoMeta: optionalObject({ duration: secondsDuration }),
    playCount: count,
    diggCount: count,
    commentCount: count,
    authorMeta: optionalObject({
      id,
      name: text,
      nickName: text,
      nickname: text,
      signature: text,
      bioLink: optionalObject({ link: text }).or(text),
      avatar: text,
      fans: count,
    }),
  },
  [
    'collectCount',
    'commentsDatasetUrl',
    'covers',
    'detailedMentions',
    'downloaded',
    'effectStickers',
    'fromProfileSection',
    'hashtags',
    'imageUrl',
    'input',
    'isAd',
    'isPinned',
    'isSponsored',
    'locationCreated',
    'locationMeta',
    'mediaUrls',
    'mentions',
    'musicMeta',
    'repostCount',
    'searchHashtag',
    'searchQuery',
    'secretID',
    'shareCount',
    'slideshowImageLinks',
    'submittedVideoUrl',
    'textLanguage',
    'videoApiUrlNoWaterMark',
    'videoUrl',
    'videoUrlNoWaterMark',
  ],
);

/** Mapper of the format of tiktok-scraper, which later scrapers kept: videos with their author in `authorMeta`. */
export const tiktokScraper: Mapper = {
  source: 'tiktok-scraper',

  recognises(document) {
    const item = firstItem(document, 'collector');
    return item !== null && getObject(item, 'authorMeta') !== null;
  },

  map(document, context): MappingResult {
    const findings = new Findings(context.fetchedAt);
    forEachItem(document, 'collector', findings, (item, itemPath) => mapItem(item, itemPath, findings));
    return findings;
  },
};

function mapItem(item: JsonObject, itemPath: string, base: Findings): void {
  if (isObject(item) && typeof item.error === 'string')
    return base.reject(itemPath, `the scraper failed: ${item.error}`);
  const video = kind.parse(item, itemPath, base);
  const videoId = video && base.requireId(video.id, itemPath, 'id');
  if (!videoId) return;
  const findings = video.scrapedAt ? base.withObservedAt(new Date(video.scrapedAt)) : base;
  const { authorMeta: author, webVideoUrl: url, videoMeta } = video;
  const duration = videoMeta?.duration;
  findings.addContent(
    'short_platform',
    videoId,
    author?.id ? { id: author.id } : author?.name ? { handle: author.name } : null,
    {
      type: video.isSlideshow || isSlideshow(url, duration) ? 'post' : 'short',
      title: null,
      description: video.text,
      created_at: video.createTime ?? video.createTimeISO,
      duration,
      url: stripQuery(url),
      statistics: {
        views: createSum(video.playCount),
        likes: createSum(video.diggCount),
        comments: createCommentCount(video.commentCount),
      },
    },
  );
  if (!author?.id) return;
  const link = author.bioLink;
  findings.addProfile(
    'short_platform',
    author.id,
    {
      name: author.name,
      display_name: author.nickName ?? author.nickname,
      url: tiktokProfileUrl(author.name),
      description: author.signature,
      profile_image: author.avatar,
      statistics: { followers: author.fans },
    },
    { links: [typeof link === 'object' ? link?.link : link] },
  );
}
