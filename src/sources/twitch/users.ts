import { DocumentSchema } from '../reading/document-schema.js';
import { id, text } from '../reading/member-schemas.js';
import type { CallMapper } from './call-mapper.js';
import { channelUrl } from './urls.js';

const kind = new DocumentSchema(
  'users',
  {
    id,
    login: text,
    display_name: text,
    broadcaster_type: text,
    description: text,
    profile_image_url: text,
    offline_image_url: text,
  },
  // view_count has been meaningless since 2022.
  ['type', 'view_count', 'email', 'created_at'],
);

/** Maps `GET /helix/users`: the creator's profile. */
export const users: CallMapper = {
  path: '/helix/users',
  matches: (item) => 'broadcaster_type' in item && 'login' in item,
  map(item, itemPath, findings) {
    const user = kind.parse(item, itemPath, findings);
    const userId = user && findings.requireId(user.id, itemPath, 'id');
    if (!userId) return;
    findings.addProfile('live_platform', userId, {
      name: user.login,
      display_name: user.display_name,
      url: channelUrl(user.login),
      description: user.description,
      profile_image: user.profile_image_url,
      banner_image: user.offline_image_url,
      account_type: user.broadcaster_type,
    });
  },
};
