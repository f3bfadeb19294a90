import { Module } from '@nestjs/common';
import { GamesModule } from '../games/games.module.js';
import { ProfilesModule } from '../profiles/profiles.module.js';
import { ContentController } from './content.controller.js';
import { ContentQueries } from './content.queries.js';

@Module({ imports: [ProfilesModule, GamesModule], controllers: [ContentController], providers: [ContentQueries] })
export class ContentModule {}
