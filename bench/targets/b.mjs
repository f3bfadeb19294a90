// @ts-check
/** Targets for B and its `--documents` variant. */
import { apiRequests, wrongWith } from '../loads.mjs';
import { startServer } from '../processes.mjs';
import { COLUMN_TABLES, DATABASE, DOCUMENT_TABLES, prepareTables } from '../tables.mjs';

/** @import { Target } from './index.mjs' */

/** @returns {Target} */
export const b = (database = DATABASE) => ({
  name: 'b',
  title: 'B: node:http + mysql2',
  headers: {},
  prepare: (sizes, say) => prepareTables(COLUMN_TABLES, sizes, say, database),
  start: () => start('b', 4001, ['--database', database]),
  requests: apiRequests,
  wrongWith,
});

/** @returns {Target} */
export const bWithDocuments = (database = DATABASE) => ({
  ...b(database),
  name: 'bdocs',
  title: 'B, collected, stored documents',
  prepare: (sizes, say) => prepareTables(DOCUMENT_TABLES, sizes, say, database),
  start: () => start('bdocs', 4002, ['--database', database, '--documents']),
});

const start = (/** @type {string} */ name, /** @type {number} */ port, /** @type {string[]} */ args) =>
  startServer({ name, command: 'node', args: ['bench/servers/b.mjs', '--port', String(port), ...args], port });
