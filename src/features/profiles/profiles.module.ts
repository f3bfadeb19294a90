import { Module } from '@nestjs/common';
import { ProfilesController } from './profiles.controller.js';
import { ProfilesQueries } from './profiles.queries.js';

@Module({ controllers: [ProfilesController], providers: [ProfilesQueries], exports: [ProfilesQueries] })
export class ProfilesModule {}
