// @ts-check
// Fills an empty database with the sample data and first keys, then serves. Existing data stays unchanged.
// --only-prepare: does not serve; for replicas, which would otherwise fill the database at the same time.
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const isOnlyPreparing = process.argv.includes('--only-prepare');

process.chdir(ROOT);

// PID 1 of a container ignores signals without a listener.
if (process.pid === 1) {
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) {
    process.on(signal, () => {
      const isServiceListening = process.listenerCount(signal) > 1;
      if (!isServiceListening) process.exit(128 + constants.signals[signal]);
    });
  }
}

console.error('Preparing the database...');
const { prepareFirstRun } = await import(join(ROOT, 'dist/bundle/first-run.mjs'));
try {
  const keys = await prepareFirstRun(process.env, join(ROOT, 'sample-data'));
  const base = `http://localhost:${process.env.PORT || 3000}`;
  if (keys === null && !isOnlyPreparing) {
    console.error(
      `Page: ${base}/, reference: ${base}/docs. For another key: npm run -s cli -- keys create --name NAME`,
    );
  }
  if (keys !== null) {
    console.error(`
The sample data is loaded. This is your first API key, shown only now:

  ${keys.key}

And this is a test key, which is always answered from the sample data:

  ${keys.testKey}

Try it, as soon as the service says "serving":

  curl -s -H 'x-api-key: ${keys.key}' ${base}/platforms/live_platform/profiles/10001

The key's limit and usage, and first requests: ${base}/
The reference: ${base}/docs
`);
  }
} catch (error) {
  console.error(`Cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
if (!isOnlyPreparing) await import(join(ROOT, 'dist/bundle/main.mjs'));
