import { Kind } from '../reading/kind.js';
import { id, text, texts } from '../reading/members.js';
import type { KindMapper } from './kinds.js';
import { pageOf } from './pages.js';

const kind = new Kind(
  'channels',
  {
    broadcaster_id: id,
    broadcaster_login: text,
    broadcaster_name: text,
    broadcaster_language: text,
    content_classification_labels: texts,
  },
  ['game_id', 'game_name', 'title', 'delay', 'tags', 'is_branded_content'],
);

/** Labels that mark a channel as one for adults. Politics is none of them. */
const MATURE: ReadonlySet<string> = new Set([
  'DrugsIntoxication',
  'Gambling',
  'MatureGame',
  'ProfanityVulgarity',
  'SexualThemes',
  'ViolentGraphic',
]);

/** `GET /helix/channels`: the language, and what the channel warns of. */
export const channels: KindMapper = {
  path: '/helix/channels',
  isOne: (item) => 'broadcaster_language' in item && 'broadcaster_id' in item,
  map(item, place, found) {
    const channel = kind.read(item, place, found);
    const channelId = channel && found.idOf(channel.broadcaster_id, place, 'broadcaster_id');
    if (!channelId) return;
    found.profile('live_platform', channelId, {
      name: channel.broadcaster_login,
      display_name: channel.broadcaster_name,
      url: pageOf(channel.broadcaster_login),
      language: languageOf(channel.broadcaster_language),
      is_mature: channel.content_classification_labels?.some((label) => MATURE.has(label)),
    });
  },
};

/** A language; `other` is none that could be named. */
export const languageOf = (language: string | null | undefined): string | null | undefined =>
  language === 'other' ? null : language;
