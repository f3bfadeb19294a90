import { afterAll } from '@jest/globals';
import { startSqlCheck } from './sql-list.js';

// Runs before each end-to-end test file. A statement that docs/sql.json does not list fails the file that sent it.
afterAll(startSqlCheck());
