import { AnalysisModule } from '../features/analysis/analysis.module.js';
import { ChangesModule } from '../features/changes/changes.module.js';
import { ContentModule } from '../features/content/content.module.js';
import { GamesModule } from '../features/games/games.module.js';
import { HistoryModule } from '../features/history/history.module.js';
import { ProfilesModule } from '../features/profiles/profiles.module.js';
import { SearchModule } from '../features/search/search.module.js';

/** Features whose endpoints read creator data. The application for test keys has the same, over the sample data. */
export const DATA_MODULES = [
  ProfilesModule,
  HistoryModule,
  ContentModule,
  GamesModule,
  AnalysisModule,
  ChangesModule,
  SearchModule,
] as const;
