import type { JsonObject } from '../json-object.js';
import type { Findings } from '../reading/findings.js';
import { DocumentSchema } from '../reading/document-schema.js';
import { count, id, text } from '../reading/member-schemas.js';

const kind = new DocumentSchema(
  'users',
  {
    id,
    ig_id: id,
    username: text,
    name: text,
    biography: text,
    website: text,
    profile_picture_url: text,
    followers_count: count,
  },
  [
    'account_type',
    'business_account_id',
    'follows_count',
    'has_profile_pic',
    'is_published',
    'legacy_instagram_user_id',
    'media',
    'media_count',
    'page_id',
    'shopping_product_tag_eligibility',
    'user_id',
  ],
);

export type User = NonNullable<ReturnType<typeof kind.parse>>;

/** Reports whether an object is an account. */
export const isUser = (item: JsonObject): boolean =>
  'username' in item &&
  ['followers_count', 'media_count', 'profile_picture_url', 'biography'].some((name) => name in item);

export const readUser = (item: JsonObject, itemPath: string, findings: Findings): User | null =>
  kind.parse(item, itemPath, findings);

/** Maps an account. `ig_id`, which other tools use too, is preferred to the ID that only this API uses. */
export function mapUser(user: User, itemPath: string, findings: Findings, handle: string | null): void {
  const userId = findings.requireId(user.ig_id ?? user.id, itemPath, 'id');
  if (userId === null) return;
  findings.addProfile(
    'photo_platform',
    userId,
    {
      name: handle ?? undefined,
      display_name: user.name,
      url: handle === null ? undefined : `https://www.instagram.com/${handle}/`,
      description: user.biography,
      profile_image: user.profile_picture_url,
      statistics: { followers: user.followers_count },
    },
    { links: [user.website] },
  );
}
