import { analysisEntities } from '../analysis/analysis.entities.js';
import { apiKeyEntity, secretEntity } from '../auth/api-key.entity.js';
import { contentEntity, gameContentEntity } from '../content/content.entity.js';
import { gameEntity } from '../games/game.entity.js';
import { counterEntity, forgottenProfileEntity } from '../import/import.entities.js';
import { profileEntity } from '../profiles/profile.entity.js';
import { usageGroupEntity, usageTotalEntity } from '../receipts/usage.entities.js';
import type { Dialect } from '../database/columns.js';

/** All tables of the service; a test holds them against the migrations on both databases. */
export const entities = (dialect: Dialect) => [
  profileEntity(dialect),
  contentEntity(dialect),
  gameContentEntity(dialect),
  gameEntity(dialect),
  ...analysisEntities(dialect),
  apiKeyEntity(dialect),
  secretEntity(dialect),
  usageGroupEntity(dialect),
  usageTotalEntity(dialect),
  forgottenProfileEntity(dialect),
  counterEntity(dialect),
];
