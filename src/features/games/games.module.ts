import { Module } from '@nestjs/common';
import { GameSearch } from './game-search.js';
import { GamesController } from './games.controller.js';
import { GamesQueries } from './games.queries.js';

@Module({ controllers: [GamesController], providers: [GamesQueries, GameSearch], exports: [GamesQueries] })
export class GamesModule {}
