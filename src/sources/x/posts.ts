import type { Author, DocumentContext } from '../fragment.js';
import { commentsOf, sumOf, type Findings } from '../reading/findings.js';
import { instantOfSnowflake } from '../reading/instants.js';
import { Kind } from '../reading/kind.js';
import { count, id, instant, number, part, parts, text, texts } from '../reading/members.js';
import type { Item } from '../reading/responses.js';
import { addressOf, unescaped } from './text.js';

const medium = { media_key: text, type: text, duration_ms: number };
const references = parts({ type: text });
const note = part({ text });

const kind = new Kind(
  'posts',
  {
    id,
    text,
    author_id: id,
    created_at: instant,
    public_metrics: part({ like_count: count, reply_count: count, impression_count: count }),
    attachments: part({ media_keys: texts, media: parts(medium) }),
    // X calls tweets posts, and renames members one by one.
    note_tweet: note,
    note_post: note,
    referenced_tweets: references,
    referenced_posts: references,
    // Flattened responses have the author in the post.
    author: part({ id, username: text }),
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

const OF_POSTS = [
  'author_id',
  'edit_history_post_ids',
  'edit_history_tweet_ids',
  'public_metrics',
  'referenced_posts',
  'referenced_tweets',
];

/** Whether an object is a post. */
export const isPost = (item: Item): boolean => 'text' in item && 'id' in item && OF_POSTS.some((name) => name in item);

type Post = NonNullable<ReturnType<typeof kind.read>>;

/** What comes along with posts: their authors' handles, and their media. */
export interface Beside {
  readonly handles: ReadonlyMap<string, string>;
  readonly media: ReadonlyMap<string, Item>;
}

const REPOST: ReadonlySet<unknown> = new Set(['retweeted', 'reposted']);

/** A post. A repost has the text and the counts of somebody else's, and is none. */
export function mapPost(item: Item, place: string, found: Findings, beside: Beside, context: DocumentContext): void {
  const post = kind.read(item, place, found);
  const postId = post && found.idOf(post.id, place, 'id');
  if (!postId) return;
  const references = post.referenced_posts ?? post.referenced_tweets ?? [];
  if (references.some(({ type }) => REPOST.has(type))) return found.skip('repost');
  const authorId = post.author_id ?? post.author?.id ?? timelineOf(context);
  const handle = post.author?.username ?? (authorId ? beside.handles.get(authorId) : undefined);
  const author: Author | null = authorId ? { id: authorId } : null;
  const said = post.note_post?.text ?? post.note_tweet?.text ?? post.text;
  const metrics = post.public_metrics;
  found.content('microblog_platform', postId, author, {
    type: 'post',
    description: said && unescaped(said),
    created_at: post.created_at ?? instantOfSnowflake(postId) ?? undefined,
    duration: durationOf(post, beside),
    url: addressOf(handle, postId),
    statistics: {
      views: sumOf(metrics?.impression_count),
      likes: sumOf(metrics?.like_count),
      comments: commentsOf(metrics?.reply_count),
    },
  });
}

/** The length of the video, if there is exactly one. */
function durationOf({ attachments }: Post, { media }: Beside): number | undefined {
  const keys = attachments?.media_keys ?? [];
  const all = attachments?.media ?? keys.map((key) => media.get(key));
  const videos = all.filter((one) => one?.type === 'video');
  const duration = videos.length === 1 ? videos[0]?.duration_ms : undefined;
  return typeof duration === 'number' && duration >= 0 ? Math.round(duration) : undefined;
}

/** Whose timeline a request asked for. Mentions of a user are other people's posts. */
const timelineOf = ({ url }: DocumentContext): string | null =>
  /\/users\/(\d+)\/(?:tweets|posts)\/?$/.exec(url?.pathname ?? '')?.[1] ?? null;
