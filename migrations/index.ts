import { CreateTables1763600000000 } from './1763600000000-create-tables.js';

/** Every migration, oldest first: an explicit list, so that none is picked up by chance. */
export const migrations = [CreateTables1763600000000];
