import type { Content, ContentType } from '../../features/content/content.js';
import type { JsonObject } from '../json-object.js';
import { createCommentCount, createSum, type Findings } from '../reading/findings.js';
import { DocumentSchema } from '../reading/document-schema.js';
import { count, id, instant, isoDuration, number, optionalObject, text, texts } from '../reading/member-schemas.js';
import { createCategory } from './category-names.js';

const kind = new DocumentSchema(
  'video',
  {
    id,
    snippet: optionalObject({
      publishedAt: instant,
      channelId: id,
      title: text,
      description: text,
      tags: texts,
      categoryId: id,
      liveBroadcastContent: text,
    }),
    contentDetails: optionalObject({ duration: isoDuration }),
    statistics: optionalObject({ viewCount: count, likeCount: count, commentCount: count }),
    liveStreamingDetails: optionalObject({}),
    player: optionalObject({ embedHeight: number, embedWidth: number }),
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

type Video = NonNullable<ReturnType<typeof kind.parse>>;

/** Maximum length of a Short: three minutes. */
export const MAX_SHORT_MS = 180_000;

/** Maps a video. A part is present only if the request named it. */
export function mapVideo(item: JsonObject, itemPath: string, findings: Findings): void {
  const video = kind.parse(isFlat(item) ? unflatten(item) : item, itemPath, findings);
  const videoId = video && findings.requireId(video.id, itemPath, 'id');
  if (!videoId) return;
  const { snippet, statistics } = video;
  const channelId = snippet?.channelId;
  findings.addContent('video_platform', videoId, channelId ? { id: channelId } : null, {
    type: typeOf(video),
    ...(snippet && {
      title: snippet.title ?? null,
      description: snippet.description ?? null,
      created_at: snippet.publishedAt,
      categories: snippet.categoryId ? [createCategory(snippet.categoryId)] : [],
      tags: (snippet.tags ?? []).map((tag) => ({ id: tag, type: 'video_platform_tag' as const, name: tag })),
    }),
    // Live and upcoming videos have a duration of zero.
    duration: video.contentDetails && (video.contentDetails.duration || null),
    url: `https://www.youtube.com/watch?v=${videoId}`,
    statistics: statistics ? countsOf(statistics) : {},
  });
}

/** Reports whether an item has the members of its snippet at the top level, as Airbyte's connector writes it. */
export const isFlat = ({ snippet, channelId, videoId }: JsonObject): boolean =>
  snippet === undefined && typeof channelId === 'string' && typeof videoId === 'string';

const SNIPPET_MEMBERS = [
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

function unflatten({ videoId, ...item }: JsonObject): JsonObject {
  const isInSnippet = ([name]: [string, unknown]) => SNIPPET_MEMBERS.includes(name);
  const members = Object.entries(item);
  return {
    ...Object.fromEntries(members.filter((member) => !isInSnippet(member))),
    id: videoId,
    snippet: Object.fromEntries(members.filter(isInSnippet)),
  };
}

/** Maps the counts of a video. A count missing from the statistics is hidden by the channel. */
function countsOf({ viewCount, likeCount, commentCount }: NonNullable<Video['statistics']>): Content['statistics'] {
  return {
    views: createSum(viewCount ?? null),
    likes: createSum(likeCount ?? null),
    comments: createCommentCount(commentCount ?? null),
  };
}

/** Returns the type of a video; `video` if it is unknown. Premieres are indistinguishable from streams. */
function typeOf({ snippet, liveStreamingDetails, contentDetails, player }: Video): ContentType {
  const broadcast = snippet?.liveBroadcastContent;
  if (liveStreamingDetails || (broadcast && broadcast !== 'none')) return 'stream';
  const duration = contentDetails?.duration;
  // Without the snippet it may be the recording of a stream.
  if (!snippet || typeof duration !== 'number') return 'video';
  if (duration > MAX_SHORT_MS) return 'long';
  const { embedHeight, embedWidth } = player ?? {};
  return embedHeight && embedWidth && embedHeight >= embedWidth ? 'short' : 'video';
}
