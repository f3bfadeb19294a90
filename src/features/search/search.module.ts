import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../model/config.js';
import { ProfilesModule } from '../profiles/profiles.module.js';
import { CreatorSearch } from './creator-search.js';
import { IndexBuilder } from './index-builder.js';
import { IndexFeeds } from './index-feeds.js';
import { IndexFollower } from './index-follower.js';
import { IndexReader, OWN_SEARCH_FOLDER, SEARCH_FOLDER } from './index-reader.js';
import { IndexRecords } from './index-records.js';
import { SearchController } from './search.controller.js';

@Module({
  imports: [ProfilesModule],
  controllers: [SearchController],
  providers: [
    {
      provide: SEARCH_FOLDER,
      inject: [CONFIG, { token: OWN_SEARCH_FOLDER, optional: true }],
      useFactory: ({ dataFolder }: Config, own: string | undefined) => own ?? join(dataFolder, 'search'),
    },
    CreatorSearch,
    IndexBuilder,
    IndexFeeds,
    IndexFollower,
    IndexReader,
    IndexRecords,
  ],
  exports: [CreatorSearch, IndexFollower, IndexReader],
})
export class SearchModule {}
