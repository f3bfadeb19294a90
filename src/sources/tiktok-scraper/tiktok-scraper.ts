import type { Mapped, Mapper } from '../fragment.js';
import { isObject, type JsonObject } from '../json-object.js';
import { commentsOf, Findings, sumOf } from '../reading/findings.js';
import { Kind } from '../reading/kind.js';
import { count, id, instant, part, secondsLong, text, truth, unixSeconds } from '../reading/members.js';
import { eachOf, firstOf, inner } from '../reading/responses.js';
import { isPictures, pageOf, withoutQuery } from '../tiktok/pages.js';

const kind = new Kind(
  'items',
  {
    id,
    text,
    createTime: unixSeconds,
    createTimeISO: instant,
    scrapedAt: instant,
    webVideoUrl: text,
    isSlideshow: truth,
    videoMeta: part({ duration: secondsLong }),
    playCount: count,
    diggCount: count,
    commentCount: count,
    authorMeta: part({
      id,
      name: text,
      nickName: text,
      nickname: text,
      signature: text,
      bioLink: part({ link: text }).or(text),
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
    const item = firstOf(document, 'collector');
    return item !== null && inner(item, 'authorMeta') !== null;
  },

  map(document, context): Mapped {
    const findings = new Findings(context.fetchedAt);
    eachOf(document, 'collector', findings, (item, place) => mapItem(item, place, findings));
    return findings;
  },
};

function mapItem(item: JsonObject, place: string, base: Findings): void {
  if (isObject(item) && typeof item.error === 'string') return base.reject(place, `the scraper failed: ${item.error}`);
  const video = kind.read(item, place, base);
  const videoId = video && base.idOf(video.id, place, 'id');
  if (!videoId) return;
  const findings = video.scrapedAt ? base.at(new Date(video.scrapedAt)) : base;
  const { authorMeta: author, webVideoUrl: url, videoMeta } = video;
  const duration = videoMeta?.duration;
  findings.content(
    'short_platform',
    videoId,
    author?.id ? { id: author.id } : author?.name ? { handle: author.name } : null,
    {
      type: video.isSlideshow || isPictures(url, duration) ? 'post' : 'short',
      title: null,
      description: video.text,
      created_at: video.createTime ?? video.createTimeISO,
      duration,
      url: withoutQuery(url),
      statistics: {
        views: sumOf(video.playCount),
        likes: sumOf(video.diggCount),
        comments: commentsOf(video.commentCount),
      },
    },
  );
  if (!author?.id) return;
  const link = author.bioLink;
  findings.profile(
    'short_platform',
    author.id,
    {
      name: author.name,
      display_name: author.nickName ?? author.nickname,
      url: pageOf(author.name),
      description: author.signature,
      profile_image: author.avatar,
      statistics: { followers: author.fans },
    },
    { links: [typeof link === 'object' ? link?.link : link] },
  );
}
