import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { Answers } from '../../http/envelope/answers.js';
import { Endpoint } from '../../http/envelope/endpoint.js';
import { notAvailable, notFound } from '../../http/api-error.js';
import { ApiRequest, ApiResponse } from '../../http/lean-express.adapter.js';
import { PlatformParam } from '../../http/validation/platform.param.js';
import { PLATFORMS, type Platform } from '../../model/platforms.js';
import { ProfilesQueries } from '../profiles/profiles.queries.js';
import {
  AudienceAnalysisEntity,
  CreatorAnalysisEntity,
  EmailEntity,
  SocialLinksEntity,
  type CreatorDocumentClass,
} from './analysis.entities.js';
import { AnalysisQueries, type CreatorDocument } from './analysis.queries.js';

const path = { profile_id: 'ID of the creator on the platform' };

@Controller('platforms/:platform/profiles/:profile_id')
export class AnalysisController {
  constructor(
    private readonly analyses: AnalysisQueries,
    private readonly profiles: ProfilesQueries,
    private readonly answers: Answers,
  ) {}

  @Get('analysis')
  @Endpoint({
    operation: 'analysis.get',
    summary: 'AI-made analysis of a creator',
    platforms: PLATFORMS,
    path,
    payload: { one: 'CreatorAnalysis' },
    meta: ['source', 'received_at', 'request_id'],
    notFound: ['Profile not found', 'Analysis not available'],
  })
  async analysis(
    @PlatformParam() platform: Platform,
    @Param('profile_id') profileId: string,
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
  ): Promise<void> {
    const { context } = request;
    context.itemsAskedFor = 1;
    const found = await this.#find(CreatorAnalysisEntity, platform, profileId);
    if (found === null) throw notAvailable('Analysis');
    this.answers.success(request, response, {
      payload: found.document,
      meta: { source: 'database', received_at: context.receivedAtText, request_id: context.requestId },
      itemsReturned: 1,
    });
  }

  @Get('audience')
  @Endpoint({
    operation: 'audience.get',
    summary: "AI-made analysis of a creator's audience",
    platforms: PLATFORMS,
    path,
    payload: { one: 'AudienceAnalysis' },
    meta: ['last_updated_at', 'received_at'],
    notFound: ['Profile not found', 'Audience analysis not available'],
  })
  async audience(
    @PlatformParam() platform: Platform,
    @Param('profile_id') profileId: string,
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
  ): Promise<void> {
    const { context } = request;
    context.itemsAskedFor = 1;
    const found = await this.#find(AudienceAnalysisEntity, platform, profileId);
    if (found === null) throw notAvailable('Audience analysis');
    this.answers.success(request, response, {
      payload: found.document,
      meta: { last_updated_at: found.updatedAt, received_at: context.receivedAtText },
      itemsReturned: 1,
    });
  }

  @Get('socials')
  @Endpoint({
    operation: 'socials.get',
    summary: "A creator's profiles on other platforms",
    platforms: PLATFORMS,
    path,
    payload: { many: 'SocialLink' },
    meta: ['source', 'received_at', 'request_id'],
    notFound: ['Profile not found'],
  })
  async socials(
    @PlatformParam() platform: Platform,
    @Param('profile_id') profileId: string,
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
  ): Promise<void> {
    const { context } = request;
    context.itemsAskedFor = 1;
    const found = await this.#find(SocialLinksEntity, platform, profileId);
    const links = found?.document ?? NO_LINKS;
    this.answers.success(request, response, {
      payload: links,
      meta: { source: 'database', received_at: context.receivedAtText, request_id: context.requestId },
      itemsReturned: (JSON.parse(links) as unknown[]).length,
    });
  }

  @Get('email')
  @Endpoint({
    operation: 'email.get',
    summary: 'The publicly listed business address of a creator',
    platforms: PLATFORMS,
    path,
    payload: { one: 'Email' },
    meta: ['received_at'],
    notFound: ['Profile not found', 'Email not available'],
  })
  async email(
    @PlatformParam() platform: Platform,
    @Param('profile_id') profileId: string,
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
  ): Promise<void> {
    const { context } = request;
    context.itemsAskedFor = 1;
    const found = await this.#find(EmailEntity, platform, profileId);
    if (found === null) throw notAvailable('Email');
    this.answers.success(request, response, {
      payload: found.document,
      meta: { received_at: context.receivedAtText },
      itemsReturned: 1,
    });
  }

  /** @throws ApiError 404 for a profile that is not known, whatever else is known about it */
  async #find(entity: CreatorDocumentClass, platform: Platform, profileId: string): Promise<CreatorDocument | null> {
    const [isKnown, found] = await Promise.all([
      this.profiles.exists(platform, profileId),
      this.analyses.find(entity, platform, profileId),
    ]);
    if (!isKnown) throw notFound('Profile');
    return found;
  }
}

const NO_LINKS = '[]';
