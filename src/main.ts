import { runService } from './server/service.js';

await runService(process.env);
