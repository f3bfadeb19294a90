import { Module } from '@nestjs/common';
import { ChangesController } from './changes.controller.js';
import { Changes } from './changes.js';
import { ChangesQueries } from './changes.queries.js';

@Module({ controllers: [ChangesController], providers: [Changes, ChangesQueries] })
export class ChangesModule {}
