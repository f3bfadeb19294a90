import './v8-flags.js';
import './private-files.js';
import { runService } from './server/service.js';

// `sample-data.js` opens its database at the first request with a test key. The server may not import the commands itself.
await runService(process.env, () => import('./operator/sample-data.js'));
