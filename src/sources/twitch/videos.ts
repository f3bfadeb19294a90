import { Kind } from '../reading/kind.js';
import { later } from '../reading/instants.js';
import { count, id, instant, letterDuration, text } from '../reading/members.js';
import { sumOf } from '../reading/findings.js';
import type { KindMapper } from './kinds.js';
import { pageOf } from './pages.js';

const kind = new Kind(
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
export const videos: KindMapper = {
  path: '/helix/videos',
  isOne: (item) => 'viewable' in item || ('stream_id' in item && 'muted_segments' in item),
  map(item, place, findings) {
    const video = kind.read(item, place, findings);
    const videoId = video && findings.idOf(video.id, place, 'id');
    const userId = videoId && findings.idOf(video.user_id, place, 'user_id');
    if (!userId) return;
    const isArchive = video.type === 'archive';
    const { created_at, duration } = video;
    // A recording has its stream's ID, so that it is merged with the stream's snapshots.
    findings.content(
      'live_platform',
      (isArchive ? video.stream_id : null) ?? videoId,
      { id: userId },
      {
        type: isArchive ? 'stream' : 'video',
        title: video.title,
        description: video.description,
        created_at: isArchive ? created_at : (video.published_at ?? created_at),
        ended_at: isArchive && created_at && typeof duration === 'number' ? later(created_at, duration) : undefined,
        duration,
        url: video.url,
        statistics: { views: sumOf(video.view_count) },
      },
    );
    findings.profile('live_platform', userId, {
      name: video.user_login,
      display_name: video.user_name,
      url: pageOf(video.user_login),
    });
  },
};
