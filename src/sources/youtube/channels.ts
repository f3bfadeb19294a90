import type { JsonObject } from '../json-object.js';
import type { Findings } from '../reading/findings.js';
import { Kind } from '../reading/kind.js';
import { count, id, part, text, truth } from '../reading/members.js';

const image = part({ url: text });

const kind = new Kind(
  'channel',
  {
    id,
    snippet: part({
      title: text,
      description: text,
      customUrl: text,
      defaultLanguage: text,
      thumbnails: part({ default: image, medium: image, high: image }),
    }),
    statistics: part({ viewCount: count, subscriberCount: count, hiddenSubscriberCount: truth }),
    brandingSettings: part({
      channel: part({ defaultLanguage: text }),
      image: part({ bannerExternalUrl: text, bannerImageUrl: text }),
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
export function mapChannel(item: JsonObject, place: string, findings: Findings): void {
  const channel = kind.read(item, place, findings);
  const channelId = channel && findings.idOf(channel.id, place, 'id');
  if (!channelId) return;
  const { snippet, statistics, brandingSettings: branding } = channel;
  const language = snippet?.defaultLanguage ?? branding?.channel?.defaultLanguage;
  const thumbnails = snippet?.thumbnails;
  findings.profile('video_platform', channelId, {
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
          followers: statistics.hiddenSubscriberCount ? null : statistics.subscriberCount,
          views_estimated: statistics.viewCount,
        }
      : {},
  });
}
