import './v8-flags.js';
import { runService } from './server/service.js';

await runService(process.env);
