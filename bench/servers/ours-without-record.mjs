// @ts-check
/**
 * Runs the service without usage records, to measure what they cost. There is no setting for that, so this replaces the
 * recorder of the built application.
 */
import '../../dist/src/v8-flags.js';
import { pino } from 'pino';
import { readConfig } from '../../dist/src/model/config.js';
import { openSampleDatabase } from '../../dist/src/operator/sample-data.js';
import { UsageRecorder } from '../../dist/src/receipts/usage-recorder.js';
import { openCurrentDatabase } from '../../dist/src/schema/open-database.js';
import { createApplication } from '../../dist/src/server/service.js';

const config = readConfig(process.env);
const database = await openCurrentDatabase(config.database);
const app = await createApplication({ config, database, logger: pino({ level: 'warn' }), openSampleDatabase });
Object.assign(app.get(UsageRecorder, { strict: false }), { record: async () => true, enter: () => undefined });
await app.listen(config.port, config.host);
process.once('SIGTERM', () => process.exit(0));
