import type { DocumentContext, Mapped, Mapper } from '../fragment.js';
import { Findings } from '../reading/findings.js';
import { eachOf, inner, isItem, type Item, shown, wentTo } from '../reading/responses.js';
import { isUser, mapUser } from './users.js';
import { isVideo, mapVideo } from './videos.js';

const HOST = 'open.tiktokapis.com';

/** TikTok's own APIs: Display, and Research. */
export const tiktok: Mapper = {
  source: 'tiktok',

  recognises(document, context) {
    if (!isItem(document)) return false;
    if (wentTo(context, HOST)) return true;
    const data = inner(document, 'data');
    // Every response of TikTok has an error, which is mostly `ok`.
    return data !== null && (isItem(document.error) || isUser(inner(data, 'user') ?? data) || isVideoPage(data));
  },

  map(document, context): Mapped {
    const found = new Findings(context.fetchedAt);
    if (isItem(document)) mapResponse(document, found, context);
    return found;
  },
};

function isVideoPage({ videos }: Item): boolean {
  const [first] = Array.isArray(videos) ? (videos as unknown[]) : [];
  return isItem(first) && isVideo(first);
}

function mapResponse(document: Item, found: Findings, { request }: DocumentContext): void {
  const error = inner(document, 'error');
  if (error !== null && error.code !== 'ok') {
    return found.reject('', `an error response of TikTok: ${shown(error.code)} ${shown(error.message)}`);
  }
  const data = inner(document, 'data') ?? document;
  if (Array.isArray(data.videos)) {
    return eachOf(data, 'videos', found, (item, place) => mapVideo(item, `data.${place}`, found));
  }
  const user = inner(data, 'user');
  if (user !== null) mapUser(user, 'data.user', found, null);
  else if (isUser(data) || 'follower_count' in data) mapUser(data, 'data', found, askedFor(request));
  else if (isVideo(data)) mapVideo(data, '', found);
  else found.reject('data', 'neither a user nor videos');
}

/** The handle that a request of the Research API asks for. */
function askedFor(request: unknown): string | null {
  if (typeof request === 'string') {
    try {
      return askedFor(JSON.parse(request));
    } catch {
      return null;
    }
  }
  if (!isItem(request)) return null;
  return typeof request.username === 'string' ? request.username.replace(/^@/, '') : askedFor(request.body);
}
