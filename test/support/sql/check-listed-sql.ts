import { afterAll } from '@jest/globals';
import { holdSql } from './sql-list.js';

// Loaded before each file of end-to-end tests: a statement that is not in the list fails the file that sent it.
afterAll(holdSql());
