import type { JsonObject } from '../json-object.js';
import type { Findings } from '../reading/findings.js';
import { DocumentSchema } from '../reading/document-schema.js';
import { count, id, optionalObject, text, booleanOrText } from '../reading/member-schemas.js';

const image = optionalObject({ url: text });

const kind = new DocumentSchema(
  'channel',
  {
    id,
    snippet: optionalObject({
      title: text,
      description: text,
      customUrl: text,
      defaultLanguage: text,
      thumbnails: optionalObject({ default: image, medium: image, high: image }),
    }),
    statistics: optionalObject({ viewCount: count, subscriberCount: count, hiddenSubscriberCount: booleanOrText }),
    brandingSettings: optionalObject({
      channel: optionalObject({ defaultLanguage: text }),
      image: optionalObject({ bannerExternalUrl: text, bannerImageUrl: text }),
    }),
  },
  [
    'kind',
    'etag',
    'auditDetails',
    'contentDetails',
    'contentOwnerDetails',
    'conversionPings',
    'localizations',
    'status',
    'topicDetails',
  ],
);

/** Maps a channel. A part is present only if the request named it. */
export function mapChannel(item: JsonObject, itemPath: string, findings: Findings): void {
  const channel = kind.parse(item, itemPath, findings);
  const channelId = channel && findings.requireId(channel.id, itemPath, 'id');
  if (!channelId) return;
  const { snippet, statistics, brandingSettings: branding } = channel;
  const language = snippet?.defaultLanguage ?? branding?.channel?.defaultLanguage;
  const thumbnails = snippet?.thumbnails;
  findings.addProfile('video_platform', channelId, {
    ...(snippet && {
      name: snippet.customUrl?.replace(/^@/, '') ?? null,
      display_name: snippet.title ?? null,
      url: `https://www.youtube.com/${snippet.customUrl?.startsWith('@') ? snippet.customUrl : `channel/${channelId}`}`,
      description: snippet.description ?? null,
    }),
    profile_image: thumbnails && (thumbnails.high?.url ?? thumbnails.medium?.url ?? thumbnails.default?.url ?? null),
    banner_image: branding && (branding.image?.bannerExternalUrl ?? branding.image?.bannerImageUrl ?? null),
    // Either part may contain the language, so it is known to be empty only if both are present.
    language: language ?? (snippet && branding ? null : undefined),
    statistics: statistics
      ? {
          // A hidden count is not empty but unknown, so the last known one stays.
          followers: statistics.hiddenSubscriberCount ? undefined : statistics.subscriberCount,
          views_estimated: statistics.viewCount,
        }
      : {},
  });
}
