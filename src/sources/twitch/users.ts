import { Kind } from '../reading/kind.js';
import { id, text } from '../reading/members.js';
import type { KindMapper } from './kinds.js';
import { pageOf } from './pages.js';

const kind = new Kind(
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
export const users: KindMapper = {
  path: '/helix/users',
  isOne: (item) => 'broadcaster_type' in item && 'login' in item,
  map(item, place, findings) {
    const user = kind.read(item, place, findings);
    const userId = user && findings.idOf(user.id, place, 'id');
    if (!userId) return;
    findings.profile('live_platform', userId, {
      name: user.login,
      display_name: user.display_name,
      url: pageOf(user.login),
      description: user.description,
      profile_image: user.profile_image_url,
      banner_image: user.offline_image_url,
      account_type: user.broadcaster_type,
    });
  },
};
