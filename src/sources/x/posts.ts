import type { Author, DocumentContext } from '../fragment.js';
import type { JsonObject } from '../json-object.js';
import { createCommentCount, createSum, type Findings } from '../reading/findings.js';
import { decodeSnowflakeTime } from '../reading/instants.js';
import { DocumentSchema } from '../reading/document-schema.js';
import { count, id, instant, number, optionalObject, optionalObjects, text, texts } from '../reading/member-schemas.js';
import { postUrl, unescapeEntities } from './text.js';

const mediumMembers = { media_key: text, type: text, duration_ms: number };
const references = optionalObjects({ type: text });
const note = optionalObject({ text });

const kind = new DocumentSchema(
  'posts',
  {
    id,
    text,
    author_id: id,
    created_at: instant,
    public_metrics: optionalObject({ like_count: count, reply_count: count, impression_count: count }),
    attachments: optionalObject({ media_keys: texts, media: optionalObjects(mediumMembers) }),
    // X is renaming tweets to posts, one member at a time.
    note_tweet: note,
    note_post: note,
    referenced_tweets: references,
    referenced_posts: references,
    // Flattened responses contain the author in the post.
    author: optionalObject({ id, username: text }),
  },
  [
    'article',
    'card_uri',
    'community_id',
    'context_annotations',
    'conversation_id',
    'display_text_range',
    'edit_controls',
    'edit_history_post_ids',
    'edit_history_tweet_ids',
    'entities',
    'geo',
    'in_reply_to_user',
    'in_reply_to_user_id',
    'lang',
    'matching_rules',
    'media_metadata',
    'non_public_metrics',
    'organic_metrics',
    'paid_partnership',
    'possibly_sensitive',
    'promoted_metrics',
    'quoted_post_id',
    'reply_settings',
    'scopes',
    'source',
    'suggested_source_links',
    'withheld',
  ],
);

const POST_MEMBERS = [
  'author_id',
  'edit_history_post_ids',
  'edit_history_tweet_ids',
  'public_metrics',
  'referenced_posts',
  'referenced_tweets',
];

/** Reports whether an object is a post. */
export const isPost = (item: JsonObject): boolean =>
  'text' in item && 'id' in item && POST_MEMBERS.some((name) => name in item);

type Post = NonNullable<ReturnType<typeof kind.parse>>;

/** Objects that a response contains beside its posts: authors' handles by ID, and media by key. */
export interface Includes {
  readonly handles: ReadonlyMap<string, string>;
  readonly media: ReadonlyMap<string, JsonObject>;
}

const REPOST: ReadonlySet<unknown> = new Set(['retweeted', 'reposted']);

/** Maps a post. A repost repeats another post's text and counts, so it is skipped. */
export function mapPost(
  item: JsonObject,
  itemPath: string,
  findings: Findings,
  includes: Includes,
  context: DocumentContext,
): void {
  const post = kind.parse(item, itemPath, findings);
  const postId = post && findings.requireId(post.id, itemPath, 'id');
  if (!postId) return;
  const references = post.referenced_posts ?? post.referenced_tweets ?? [];
  if (references.some(({ type }) => REPOST.has(type))) return findings.skip('repost');
  const authorId = post.author_id ?? post.author?.id ?? timelineOwner(context);
  const handle = post.author?.username ?? (authorId ? includes.handles.get(authorId) : undefined);
  const author: Author | null = authorId ? { id: authorId } : null;
  const body = post.note_post?.text ?? post.note_tweet?.text ?? post.text;
  const metrics = post.public_metrics;
  findings.addContent('microblog_platform', postId, author, {
    type: 'post',
    description: body && unescapeEntities(body),
    created_at: post.created_at ?? decodeSnowflakeTime(postId) ?? undefined,
    duration: durationOf(post, includes),
    url: postUrl(handle, postId),
    statistics: {
      views: createSum(metrics?.impression_count),
      likes: createSum(metrics?.like_count),
      comments: createCommentCount(metrics?.reply_count),
    },
  });
}

/** Returns the duration of the post's video, if it has exactly one. */
function durationOf({ attachments }: Post, { media }: Includes): number | undefined {
  const keys = attachments?.media_keys ?? [];
  const attached = attachments?.media ?? keys.map((key) => media.get(key));
  const videos = attached.filter((medium) => medium?.type === 'video');
  const duration = videos.length === 1 ? videos[0]?.duration_ms : undefined;
  return typeof duration === 'number' && duration >= 0 ? Math.round(duration) : undefined;
}

/** Returns the ID of the user whose timeline was requested. A user's mentions are other users' posts. */
const timelineOwner = ({ url }: DocumentContext): string | null =>
  /\/users\/(\d+)\/(?:tweets|posts)\/?$/.exec(url?.pathname ?? '')?.[1] ?? null;
