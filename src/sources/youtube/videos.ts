import type { Content, ContentType } from '../../features/content/content.js';
import { commentsOf, sumOf, type Findings } from '../reading/findings.js';
import { Kind } from '../reading/kind.js';
import { count, id, instant, isoDuration, number, part, text, texts } from '../reading/members.js';
import type { Item } from '../reading/responses.js';
import { categoryOf } from './category-names.js';

const kind = new Kind(
  'video',
  {
    id,
    snippet: part({
      publishedAt: instant,
      channelId: id,
      title: text,
      description: text,
      tags: texts,
      categoryId: id,
      liveBroadcastContent: text,
    }),
    contentDetails: part({ duration: isoDuration }),
    statistics: part({ viewCount: count, likeCount: count, commentCount: count }),
    liveStreamingDetails: part({}),
    player: part({ embedHeight: number, embedWidth: number }),
  },
  [
    'kind',
    'etag',
    'ageGating',
    'datetime',
    'fileDetails',
    'localizations',
    'monetizationDetails',
    'paidProductPlacementDetails',
    'processingDetails',
    'projectDetails',
    'recordingDetails',
    'status',
    'suggestions',
    'topicDetails',
  ],
);

type Video = NonNullable<ReturnType<typeof kind.read>>;

/** A Short lasts three minutes at most, so anything longer is none. */
export const LONGEST_SHORT_MS = 180_000;

/** A video. Each of its parts is there only if it was asked for. */
export function mapVideo(item: Item, place: string, found: Findings): void {
  const video = kind.read(isFlat(item) ? unflattened(item) : item, place, found);
  const videoId = video && found.idOf(video.id, place, 'id');
  if (!videoId) return;
  const { snippet, statistics } = video;
  const channelId = snippet?.channelId;
  found.content('video_platform', videoId, channelId ? { id: channelId } : null, {
    type: typeOf(video),
    ...(snippet && {
      title: snippet.title ?? null,
      description: snippet.description ?? null,
      created_at: snippet.publishedAt,
      categories: snippet.categoryId ? [categoryOf(snippet.categoryId)] : [],
      tags: (snippet.tags ?? []).map((tag) => ({ id: tag, type: 'video_platform_tag' as const, name: tag })),
    }),
    // What is live or to come has a length of no days.
    duration: video.contentDetails && (video.contentDetails.duration || null),
    url: `https://www.youtube.com/watch?v=${videoId}`,
    statistics: statistics ? countsOf(statistics) : {},
  });
}

/** Whether an item has the members of its snippet beside its other parts, as Airbyte's connector writes it. */
export const isFlat = ({ snippet, channelId, videoId }: Item): boolean =>
  snippet === undefined && typeof channelId === 'string' && typeof videoId === 'string';

const SNIPPET = [
  'publishedAt',
  'channelId',
  'title',
  'description',
  'tags',
  'categoryId',
  'liveBroadcastContent',
  'channelTitle',
  'thumbnails',
  'localized',
  'defaultLanguage',
  'defaultAudioLanguage',
];

function unflattened({ videoId, ...item }: Item): Item {
  const isOfSnippet = ([name]: [string, unknown]) => SNIPPET.includes(name);
  const members = Object.entries(item);
  return {
    ...Object.fromEntries(members.filter((member) => !isOfSnippet(member))),
    id: videoId,
    snippet: Object.fromEntries(members.filter(isOfSnippet)),
  };
}

/** Counts that were asked for and are not there are hidden. */
function countsOf({ viewCount, likeCount, commentCount }: NonNullable<Video['statistics']>): Content['statistics'] {
  return {
    views: sumOf(viewCount ?? null),
    likes: sumOf(likeCount ?? null),
    comments: commentsOf(commentCount ?? null),
  };
}

/** The form of a video, `video` where it cannot be told. Premieres look like broadcasts. */
function typeOf({ snippet, liveStreamingDetails, contentDetails, player }: Video): ContentType {
  const broadcast = snippet?.liveBroadcastContent;
  if (liveStreamingDetails || (broadcast && broadcast !== 'none')) return 'stream';
  const duration = contentDetails?.duration;
  // Without the snippet it may be a broadcast that is over.
  if (!snippet || typeof duration !== 'number') return 'video';
  if (duration > LONGEST_SHORT_MS) return 'long';
  const { embedHeight, embedWidth } = player ?? {};
  return embedHeight && embedWidth && embedHeight >= embedWidth ? 'short' : 'video';
}
