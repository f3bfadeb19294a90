import { AnalysisModule } from '../features/analysis/analysis.module.js';
import { ContentModule } from '../features/content/content.module.js';
import { GamesModule } from '../features/games/games.module.js';
import { ProfilesModule } from '../features/profiles/profiles.module.js';

/** Features whose endpoints read creator data. The application for test keys has the same, over the sample data. */
export const DATA_MODULES = [ProfilesModule, ContentModule, GamesModule, AnalysisModule] as const;
