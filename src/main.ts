import './v8-flags.js';
import { runService } from './server/service.js';

// Loaded by the first request with a test key. Passed in, because the server may not import the commands.
await runService(process.env, async () => (await import('./operator/sample-data.js')).openSampleDatabase());
