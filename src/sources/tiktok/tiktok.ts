import type { DocumentContext, MappingResult, Mapper } from '../fragment.js';
import { isObject, type JsonObject } from '../json-object.js';
import { Findings } from '../reading/findings.js';
import { forEachItem, getObject, formatValue, isRequestTo } from '../reading/responses.js';
import { isUser, mapUser } from './users.js';
import { isVideo, mapVideo } from './videos.js';

const HOST = 'open.tiktokapis.com';

/** Mapper of TikTok's own APIs: Display and Research. */
export const tiktok: Mapper = {
  source: 'tiktok',

  recognises(document, context) {
    if (!isObject(document)) return false;
    if (isRequestTo(context, HOST)) return true;
    const data = getObject(document, 'data');
    // Every TikTok response has the member `error`, usually with the code `ok`.
    return data !== null && (isObject(document.error) || isUser(getObject(data, 'user') ?? data) || isVideoPage(data));
  },

  map(document, context): MappingResult {
    const findings = new Findings(context.fetchedAt);
    if (isObject(document)) mapResponse(document, findings, context);
    return findings;
  },
};

function isVideoPage({ videos }: JsonObject): boolean {
  const [first] = Array.isArray(videos) ? (videos as unknown[]) : [];
  return isObject(first) && isVideo(first);
}

function mapResponse(document: JsonObject, findings: Findings, { request }: DocumentContext): void {
  const error = getObject(document, 'error');
  if (error !== null && error.code !== 'ok') {
    return findings.reject('', `error response from TikTok: ${formatValue(error.code)} ${formatValue(error.message)}`);
  }
  const data = getObject(document, 'data') ?? document;
  if (Array.isArray(data.videos)) {
    return forEachItem(data, 'videos', findings, (item, itemPath) => mapVideo(item, `data.${itemPath}`, findings));
  }
  const user = getObject(data, 'user');
  if (user !== null) mapUser(user, 'data.user', findings, null);
  else if (isUser(data) || 'follower_count' in data) mapUser(data, 'data', findings, requestedHandle(request));
  else if (isVideo(data)) mapVideo(data, '', findings);
  else findings.reject('data', 'must contain a user or videos');
}

/** Returns the handle that a Research API request names. */
function requestedHandle(request: unknown): string | null {
  if (typeof request === 'string') {
    try {
      return requestedHandle(JSON.parse(request));
    } catch {
      return null;
    }
  }
  if (!isObject(request)) return null;
  return typeof request.username === 'string' ? request.username.replace(/^@/, '') : requestedHandle(request.body);
}
