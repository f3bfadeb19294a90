import './v8-flags.js';
import './private-files.js';
import { runService } from './server/service.js';

// Opens its database at the first request with a test key. Passed in, because the server may not import the commands.
await runService(process.env, () => import('./operator/sample-data.js'));
