import { Controller, Get, Param } from '@nestjs/common';
import { found, type Answer } from '../../http/envelope/answer.js';
import { Endpoint } from '../../http/envelope/endpoint.js';
import { notFound } from '../../http/errors/api-error.js';
import { PlatformParam } from '../../http/validation/platform.param.js';
import { PLATFORMS, type Platform } from '../../model/platforms.js';
import { ProfilesQueries } from '../profiles/profiles.queries.js';
import { AudienceAnalysisEntity, EmailEntity, SocialLinksEntity } from './analysis.entities.js';
import { AnalysisQueries } from './analysis.queries.js';

const path = { profile_id: 'ID of the creator on the platform' };

@Controller('platforms/:platform/profiles/:profile_id')
export class AnalysisController {
  constructor(
    private readonly analyses: AnalysisQueries,
    private readonly profiles: ProfilesQueries,
  ) {}

  @Get('analysis')
  @Endpoint({
    operation: 'analysis.get',
    summary: 'Analyse a creator',
    description:
      'AI-generated analysis of the creator: formats, interests, classification, biography, family, business. It may be wrong. `meta.source` is `database` if it was imported, `model` if this service had a model make it. `profiles.get` with `include=available` tells whether there is one.',
    platforms: PLATFORMS,
    path,
    payload: { one: 'CreatorAnalysis' },
    meta: ['record_source', 'received_at', 'request_id'],
    notFound: ['profile_not_found', 'analysis_not_available'],
  })
  async analysis(@PlatformParam() platform: Platform, @Param('profile_id') profileId: string): Promise<Answer> {
    const row = await this.#ofKnownProfile(platform, profileId, this.analyses.findAnalysis(platform, profileId));
    return { ...found(row?.document ?? null, 'analysis_not_available'), meta: { record_source: row?.source } };
  }

  @Get('audience')
  @Endpoint({
    operation: 'audience.get',
    summary: 'Analyse an audience',
    description:
      'AI-generated analysis of the audience: age, gender, countries, interests, community health, brand risks. `meta.last_updated_at` is its date. `profiles.get` with `include=available` tells whether there is one.',
    platforms: PLATFORMS,
    path,
    payload: { one: 'AudienceAnalysis' },
    meta: ['last_updated_at', 'received_at'],
    notFound: ['profile_not_found', 'audience_not_available'],
  })
  async audience(@PlatformParam() platform: Platform, @Param('profile_id') profileId: string): Promise<Answer> {
    const row = await this.#ofKnownProfile(
      platform,
      profileId,
      this.analyses.find(AudienceAnalysisEntity, platform, profileId),
    );
    return { ...found(row?.document ?? null, 'audience_not_available'), meta: { last_updated_at: row?.updatedAt } };
  }

  @Get('socials')
  @Endpoint({
    operation: 'socials.get',
    summary: 'Find a creator on other platforms',
    description:
      'Lists profiles of the same creator on other platforms. Only certain matches are listed. `profiles.get` with `include=available` tells whether there are any.',
    platforms: PLATFORMS,
    path,
    payload: { many: 'SocialLink' },
    meta: ['source', 'received_at', 'request_id'],
    notFound: ['profile_not_found'],
  })
  async socials(@PlatformParam() platform: Platform, @Param('profile_id') profileId: string): Promise<Answer> {
    const row = await this.#ofKnownProfile(
      platform,
      profileId,
      this.analyses.find(SocialLinksEntity, platform, profileId),
    );
    const links = row?.document ?? NO_LINKS;
    return { data: links, itemsReturned: (JSON.parse(String(links)) as unknown[]).length };
  }

  @Get('email')
  @Endpoint({
    operation: 'email.get',
    summary: 'Get an e-mail address',
    description:
      'Returns the business address that the creator lists publicly. `profiles.get` with `include=available` tells whether there is one.',
    platforms: PLATFORMS,
    path,
    payload: { one: 'Email' },
    meta: ['received_at'],
    notFound: ['profile_not_found', 'email_not_available'],
  })
  async email(@PlatformParam() platform: Platform, @Param('profile_id') profileId: string): Promise<Answer> {
    const row = await this.#ofKnownProfile(platform, profileId, this.analyses.find(EmailEntity, platform, profileId));
    return found(row?.document ?? null, 'email_not_available');
  }

  /** Awaits the document of a creator. @throws ApiError 404 for an unknown profile, even if the document exists */
  async #ofKnownProfile<R>(platform: Platform, profileId: string, document: Promise<R | null>): Promise<R | null> {
    const [isKnown, row] = await Promise.all([this.profiles.exists(platform, profileId), document]);
    if (!isKnown) throw notFound('profile_not_found');
    return row;
  }
}

const NO_LINKS = Buffer.from('[]');
