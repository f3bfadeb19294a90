// @ts-check
/** Target for the tutorial server. It uses the tables of B, and is compiled at the start, because of its decorators. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { transformSync } from '@swc/core';
import { apiRequests, wrongWith } from '../loads.mjs';
import { connect, databaseUrl } from '../mariadb.mjs';
import { WORK_FOLDER, startServer } from '../processes.mjs';
import { COLUMN_TABLES, DATABASE, prepareTables } from '../tables.mjs';

/** @import { Target } from './index.mjs' */

const KEY = 'tutorial-key';

/** @returns {Target} */
export const tutorial = () => ({
  name: 'tutorial',
  title: 'Nest as the tutorials write it',
  headers: { 'x-api-key': KEY },
  prepare: async (sizes, say) => {
    await prepareTables(COLUMN_TABLES, sizes, say);
    const connection = await connect(DATABASE);
    await connection.query(
      'CREATE TABLE IF NOT EXISTS tutorial_keys (hash CHAR(64) PRIMARY KEY, name VARCHAR(100) NOT NULL)',
    );
    await connection.query('DROP TABLE IF EXISTS tutorial_usage');
    await connection.query(
      `CREATE TABLE tutorial_usage (id BIGINT AUTO_INCREMENT PRIMARY KEY, key_name VARCHAR(100) NOT NULL,
        path VARCHAR(500) NOT NULL, occurred_at DATETIME(3) NOT NULL)`,
    );
    await connection.query('REPLACE INTO tutorial_keys VALUES (?, ?)', [
      createHash('sha256').update(KEY).digest('hex'),
      'bench',
    ]);
    await connection.end();
  },
  start: () =>
    startServer({
      name: 'tutorial',
      command: 'node',
      args: [compiled()],
      env: { PORT: '4003', DATABASE_URL: databaseUrl(DATABASE), NODE_ENV: 'production' },
      port: 4003,
    }),
  requests: apiRequests,
  wrongWith,
});

/** In the project's folder, so that the compiled files find its node_modules. */
function compiled() {
  const folder = `${WORK_FOLDER}tutorial/`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}package.json`, '{ "type": "module" }');
  for (const name of ['tutorial', 'tutorial.entities']) {
    const source = readFileSync(new URL(`../servers/${name}.ts`, import.meta.url), 'utf8');
    const { code } = transformSync(source, {
      swcrc: false,
      module: { type: 'es6' },
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      },
    });
    writeFileSync(`${folder}${name}.js`, code);
  }
  return `${folder}tutorial.js`;
}
