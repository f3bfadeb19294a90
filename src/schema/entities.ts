import { analysisEntities } from '../features/analysis/analysis.entities.js';
import { apiKeyEntity, secretEntity } from '../features/auth/api-key.entity.js';
import { contentEntity, gameContentEntity } from '../features/content/content.entity.js';
import { gameEntity } from '../features/games/game.entity.js';
import { counterEntity } from '../database/counter.entity.js';
import { forgottenProfileEntity } from '../features/profiles/forgotten-profile.entity.js';
import { profileEntity } from '../features/profiles/profile.entity.js';
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
