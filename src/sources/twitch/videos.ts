import { DocumentSchema } from '../reading/document-schema.js';
import { addMillis } from '../reading/instants.js';
import { count, id, instant, letterDuration, text } from '../reading/member-schemas.js';
import { createSum } from '../reading/findings.js';
import type { CallMapper } from './call-mapper.js';
import { channelUrl } from './urls.js';

const kind = new DocumentSchema(
  'videos',
  {
    id,
    stream_id: id,
    user_id: id,
    user_login: text,
    user_name: text,
    title: text,
    description: text,
    created_at: instant,
    published_at: instant,
    url: text,
    view_count: count,
    type: text,
    duration: letterDuration,
  },
  ['thumbnail_url', 'viewable', 'language', 'muted_segments'],
);

/** Maps `GET /helix/videos`: recordings of streams, highlights and uploads. */
export const videos: CallMapper = {
  path: '/helix/videos',
  matches: (item) => 'viewable' in item || ('stream_id' in item && 'muted_segments' in item),
  map(item, itemPath, findings) {
    const video = kind.parse(item, itemPath, findings);
    const videoId = video && findings.requireId(video.id, itemPath, 'id');
    const userId = videoId && findings.requireId(video.user_id, itemPath, 'user_id');
    if (!userId) return;
    const isArchive = video.type === 'archive';
    const { created_at, duration } = video;
    // A recording has its stream's ID, so that it is merged with the stream's snapshots.
    findings.addContent(
      'live_platform',
      (isArchive ? video.stream_id : null) ?? videoId,
      { id: userId },
      {
        type: isArchive ? 'stream' : 'video',
        title: video.title,
        description: video.description,
        created_at: isArchive ? created_at : (video.published_at ?? created_at),
        ended_at: isArchive && created_at && typeof duration === 'number' ? addMillis(created_at, duration) : undefined,
        duration,
        url: video.url,
        statistics: { views: createSum(video.view_count) },
      },
    );
    findings.addProfile('live_platform', userId, {
      name: video.user_login,
      display_name: video.user_name,
      url: channelUrl(video.user_login),
    });
  },
};
