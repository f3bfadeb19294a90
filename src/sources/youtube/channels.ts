import type { Findings } from '../reading/findings.js';
import { Kind } from '../reading/kind.js';
import { count, id, part, text, truth } from '../reading/members.js';
import type { Item } from '../reading/responses.js';

const address = part({ url: text });

const kind = new Kind(
  'channel',
  {
    id,
    snippet: part({
      title: text,
      description: text,
      customUrl: text,
      defaultLanguage: text,
      thumbnails: part({ default: address, medium: address, high: address }),
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

/** A channel. Each of its parts is there only if it was asked for. */
export function mapChannel(item: Item, place: string, found: Findings): void {
  const channel = kind.read(item, place, found);
  const channelId = channel && found.idOf(channel.id, place, 'id');
  if (!channelId) return;
  const { snippet, statistics, brandingSettings: branding } = channel;
  const language = snippet?.defaultLanguage ?? branding?.channel?.defaultLanguage;
  const thumbnails = snippet?.thumbnails;
  found.profile('video_platform', channelId, {
    ...(snippet && {
      name: snippet.customUrl?.replace(/^@/, '') ?? null,
      display_name: snippet.title ?? null,
      url: `https://www.youtube.com/${snippet.customUrl?.startsWith('@') ? snippet.customUrl : `channel/${channelId}`}`,
      description: snippet.description ?? null,
    }),
    profile_image: thumbnails && (thumbnails.high?.url ?? thumbnails.medium?.url ?? thumbnails.default?.url ?? null),
    banner_image: branding && (branding.image?.bannerExternalUrl ?? branding.image?.bannerImageUrl ?? null),
    // Either part may hold the language, so only both together know that there is none.
    language: language ?? (snippet && branding ? null : undefined),
    statistics: statistics
      ? {
          followers: statistics.hiddenSubscriberCount ? null : statistics.subscriberCount,
          views_estimated: statistics.viewCount,
        }
      : {},
  });
}
