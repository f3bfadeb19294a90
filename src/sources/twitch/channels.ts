import { DocumentSchema } from '../reading/document-schema.js';
import { id, text, texts } from '../reading/member-schemas.js';
import type { CallMapper } from './call-mapper.js';
import { channelUrl } from './urls.js';

const kind = new DocumentSchema(
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

/** Content classification labels of mature channels. The label for politics is not among them. */
const MATURE: ReadonlySet<string> = new Set([
  'DrugsIntoxication',
  'Gambling',
  'MatureGame',
  'ProfanityVulgarity',
  'SexualThemes',
  'ViolentGraphic',
]);

/** Maps `GET /helix/channels`: language and content classification labels. */
export const channels: CallMapper = {
  path: '/helix/channels',
  matches: (item) => 'broadcaster_language' in item && 'broadcaster_id' in item,
  map(item, itemPath, findings) {
    const channel = kind.parse(item, itemPath, findings);
    const channelId = channel && findings.requireId(channel.broadcaster_id, itemPath, 'broadcaster_id');
    if (!channelId) return;
    findings.addProfile('live_platform', channelId, {
      name: channel.broadcaster_login,
      display_name: channel.broadcaster_name,
      url: channelUrl(channel.broadcaster_login),
      language: normalizeLanguage(channel.broadcaster_language),
      is_mature: channel.content_classification_labels?.some((label) => MATURE.has(label)),
    });
  },
};

/** Returns a language code; null for `other`. */
export const normalizeLanguage = (language: string | null | undefined): string | null | undefined =>
  language === 'other' ? null : language;
