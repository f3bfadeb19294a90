// @ts-check
/**
 * The service without its usage record, to see what the record costs. There is no such setting, for good reason: the
 * recorder is replaced in the built application.
 */
import { setFlagsFromString } from 'node:v8';
import { pino } from 'pino';
import { createApp } from '../../dist/src/server/configure.js';
import { readConfig } from '../../dist/src/model/config.js';
import { UsageRecorder } from '../../dist/src/receipts/usage-recorder.js';
import { systemClock } from '../../dist/src/model/clock.js';
import { openCurrentDatabase } from '../../dist/src/schema/open-database.js';
import { HEAP_GROWTH_PERCENT } from '../../dist/src/server/service.js';

const config = readConfig(process.env);
// As the service itself does.
setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT[config.database.dialect]}`);
const database = await openCurrentDatabase(config.database);
const app = await createApp({ config, database, logger: pino({ level: 'warn' }), clock: systemClock });
Object.assign(app.get(UsageRecorder, { strict: false }), {
  record: (/** @type {unknown} */ _record, /** @type {(durable: boolean) => void} */ answer) => answer(true),
  expect: () => undefined,
});
await app.listen(config.port, config.host);
process.once('SIGTERM', () => process.exit(0));
