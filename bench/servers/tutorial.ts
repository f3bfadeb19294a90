/**
 * The service as Nest's own tutorials write it: a repository per entity, ClassSerializerInterceptor, validated DTOs,
 * ThrottlerModule with its defaults, a guard that looks up the key, and an interceptor that inserts a row per request.
 * Most projects start like this; nothing in it is slow on purpose.
 */
import 'reflect-metadata';
import { createHash } from 'node:crypto';
import {
  Body,
  type CallHandler,
  type CanActivate,
  ClassSerializerInterceptor,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Get,
  HttpCode,
  Inject,
  Injectable,
  Module,
  type NestInterceptor,
  NotFoundException,
  Param,
  Post,
  Query,
  UnauthorizedException,
  ValidationPipe,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import type { Request } from 'express';
import { mergeMap } from 'rxjs';
import { DataSource, In, type Repository, type SelectQueryBuilder } from 'typeorm';
import { ApiKey, Content, GameContent, Profile, UsageRecord } from './tutorial.entities.js';

const entities = [Profile, Content, GameContent, ApiKey, UsageRecord];

class ListQuery {
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(100) limit?: number;
  @IsOptional() @IsString() cursor?: string;
  @IsOptional() @IsString() end_date?: string;
}

class BatchBody {
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(100) @IsString({ each: true }) profile_ids: string[];
}

type Keyed = Request & { keyName: string };

@Injectable()
class KeyGuard implements CanActivate {
  constructor(@Inject(ApiKey) private readonly keys: Repository<ApiKey>) {}

  async canActivate(context: ExecutionContext) {
    const request = context.switchToHttp().getRequest<Keyed>();
    const given = request.header('x-api-key');
    if (!given) throw new UnauthorizedException('API key is required');
    const key = await this.keys.findOneBy({ hash: createHash('sha256').update(given).digest('hex') });
    if (!key) throw new ForbiddenException('Invalid API key');
    request.keyName = key.name;
    return true;
  }
}

@Injectable()
class UsageInterceptor implements NestInterceptor {
  constructor(@Inject(UsageRecord) private readonly usage: Repository<UsageRecord>) {}

  intercept(context: ExecutionContext, next: CallHandler) {
    const request = context.switchToHttp().getRequest<Keyed>();
    const record = { key_name: request.keyName, path: request.path, occurred_at: new Date() };
    return next.handle().pipe(mergeMap(async (body: unknown) => (await this.usage.insert(record), body)));
  }
}

const meta = () => ({ received_at: new Date().toISOString() });

@Controller('platforms/:platform/profiles')
class ProfilesController {
  constructor(@Inject(Profile) private readonly profiles: Repository<Profile>) {}

  @Get(':id')
  async one(@Param('platform') platform: string, @Param('id') id: string) {
    const payload = await this.profiles.findOneBy({ platform, id });
    if (!payload) throw new NotFoundException('Profile not found');
    return { payload, meta: meta() };
  }

  @Post()
  @HttpCode(200)
  async batch(@Param('platform') platform: string, @Body() { profile_ids }: BatchBody) {
    const found = await this.profiles.findBy({ platform, id: In(profile_ids) });
    const byId = new Map(found.map((profile) => [profile.id, profile]));
    const payload = profile_ids.map((id) => byId.get(id)).filter((profile) => profile !== undefined);
    return { payload, meta: { missing_ids: profile_ids.filter((id) => !byId.has(id)), ...meta() } };
  }
}

@Controller('platforms/:platform')
class ContentController {
  constructor(@Inject(Content) private readonly content: Repository<Content>) {}

  @Get('content')
  list(@Param('platform') platform: string, @Query() query: ListQuery) {
    const items = this.content.createQueryBuilder('c').where('c.platform = :platform', { platform });
    return this.page(items, 'c', query, 10);
  }

  @Get('content/:id')
  async one(@Param('platform') platform: string, @Param('id') content_id: string) {
    const payload = await this.content.findOneBy({ platform, content_id });
    if (!payload) throw new NotFoundException('Content not found');
    return { payload, meta: meta() };
  }

  @Get('games/:game/content')
  ofGame(@Param('platform') platform: string, @Param('game') game: string, @Query() query: ListQuery) {
    const items = this.content
      .createQueryBuilder('c')
      .innerJoin(GameContent, 'g', 'g.platform = c.platform AND g.content_id = c.content_id')
      .where('g.platform = :platform AND g.game_id = :game', { platform, game });
    return this.page(items, 'g', query, 20);
  }

  /** Reads a keyset page in the order of the columns `by`. Paging by offset would make the comparison unfair. */
  private async page(items: SelectQueryBuilder<Content>, by: string, query: ListQuery, normal: number) {
    const limit = query.limit ?? normal;
    const [time, id] = query.cursor
      ? JSON.parse(Buffer.from(query.cursor, 'base64url').toString())
      : [query.end_date ? `${query.end_date} 23:59:59.999` : '9999-12-31', '~'];
    const payload = await items
      .andWhere(`${by}.created_at <= :time AND (${by}.created_at < :time OR ${by}.content_id < :id)`, { time, id })
      .orderBy(`${by}.created_at`, 'DESC')
      .addOrderBy(`${by}.content_id`, 'DESC')
      .limit(limit + 1)
      .getMany();
    const has_more = payload.length > limit;
    if (has_more) payload.pop();
    const last = payload.at(-1);
    const position = last && [last.created_at.toISOString().slice(0, 23).replace('T', ' '), last.content_id];
    const next_cursor = has_more ? Buffer.from(JSON.stringify(position)).toString('base64url') : null;
    return { payload, paging: { limit, next_cursor, has_more }, meta: meta() };
  }
}

@Module({
  imports: [ThrottlerModule.forRoot([{ ttl: 60_000, limit: 100_000_000 }])],
  controllers: [ProfilesController, ContentController],
  providers: [
    {
      provide: DataSource,
      useFactory: () =>
        new DataSource({
          type: 'mysql',
          url: process.env['DATABASE_URL'],
          timezone: 'Z',
          bigNumberStrings: false,
          entities,
        }).initialize(),
    },
    ...entities.map((entity) => ({
      provide: entity,
      inject: [DataSource],
      useFactory: (source: DataSource) => source.getRepository(entity),
    })),
    { provide: APP_GUARD, useClass: KeyGuard },
    { provide: APP_GUARD, useClass: ThrottlerGuard },
    { provide: APP_INTERCEPTOR, useClass: ClassSerializerInterceptor },
    { provide: APP_INTERCEPTOR, useClass: UsageInterceptor },
  ],
})
class TutorialModule {}

const app = await NestFactory.create(TutorialModule, { logger: ['error'] });
app.useGlobalPipes(new ValidationPipe({ transform: true }));
await app.listen(Number(process.env['PORT']), '127.0.0.1');
