// @ts-check
// Runs `npm start`: installs, builds, fills an empty database, and serves.
import { buildWhatIsStale, installWhatIsMissing } from './prepare.mjs';

await installWhatIsMissing('to run');
await buildWhatIsStale();
await import('./first-start.mjs');
