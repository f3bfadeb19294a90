import type { OpenAPIObject } from '@nestjs/swagger';
import recorded from '../openapi/generated/examples.json' with { type: 'json' };
import { PLATFORM_ORIGINS, PLATFORMS } from '../../model/platforms.js';
import { escapeHtml } from './page-files.js';

/** Renders a list of the platforms, each with the ID of the sample creator there. */
export function renderPlatforms(document: OpenAPIObject): string {
  const ids = new Map(recorded['socials.get'].response.payload.map(({ platform_id, id }) => [platform_id, id]));
  const { platform_id, id } = recorded['profiles.get'].response.payload;
  ids.set(platform_id, id);
  const withGames = listPlatformsWithGames(document);
  return PLATFORMS.map((platform) => {
    const games = withGames.includes(platform) ? 'Profiles, content, analysis, games' : 'Profiles, content, analysis';
    const example = ids.get(platform);
    const shown = example === undefined ? '' : `<span class="quiet">ID <code>${escapeHtml(example)}</code></span>`;
    return `<li><strong>${platform}</strong><span class="quiet">${PLATFORM_ORIGINS[platform]}</span><span>${games}</span>${shown}</li>`;
  }).join('\n');
}

function listPlatformsWithGames({ paths }: OpenAPIObject): readonly string[] {
  const { parameters = [] } = paths['/platforms/{platform}/games/{game_id}/content']?.get ?? {};
  const schema = parameters.map((each) => ('name' in each && each.name === 'platform' ? each.schema : undefined));
  return schema.flatMap((each) => (each !== undefined && 'enum' in each ? (each.enum ?? []) : [])).map(String);
}
