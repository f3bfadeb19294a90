import type { Mapped, Mapper } from '../fragment.js';
import { commentsOf, Findings, sumOf } from '../reading/findings.js';
import { Kind } from '../reading/kind.js';
import { count, id, instant, part, secondsLong, text, truth, unixSeconds } from '../reading/members.js';
import { eachOf, firstOf, inner, isItem, type Item } from '../reading/responses.js';
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

/** The shape of tiktok-scraper, which scrapers after it kept: videos with their author in `authorMeta`. */
export const tiktokScraper: Mapper = {
  source: 'tiktok-scraper',

  recognises(document) {
    const item = firstOf(document, 'collector');
    return item !== null && inner(item, 'authorMeta') !== null;
  },

  map(document, context): Mapped {
    const found = new Findings(context.fetchedAt);
    eachOf(document, 'collector', found, (item, place) => mapItem(item, place, found));
    return found;
  },
};

function mapItem(item: Item, place: string, all: Findings): void {
  if (isItem(item) && typeof item.error === 'string')
    return all.reject(place, `the scraper found nothing: ${item.error}`);
  const read = kind.read(item, place, all);
  const videoId = read && all.idOf(read.id, place, 'id');
  if (!videoId) return;
  const found = read.scrapedAt ? all.at(new Date(read.scrapedAt)) : all;
  const { authorMeta: author, webVideoUrl: url, videoMeta } = read;
  const duration = videoMeta?.duration;
  found.content(
    'short_platform',
    videoId,
    author?.id ? { id: author.id } : author?.name ? { handle: author.name } : null,
    {
      type: read.isSlideshow || isPictures(url, duration) ? 'post' : 'short',
      title: null,
      description: read.text,
      created_at: read.createTime ?? read.createTimeISO,
      duration,
      url: withoutQuery(url),
      statistics: {
        views: sumOf(read.playCount),
        likes: sumOf(read.diggCount),
        comments: commentsOf(read.commentCount),
      },
    },
  );
  if (!author?.id) return;
  const link = author.bioLink;
  found.profile(
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
