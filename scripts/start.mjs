// @ts-check
// The first of the two commands: everything from an empty folder to a service that answers.
import { buildWhatIsStale, installWhatIsMissing } from './prepare.mjs';

await installWhatIsMissing('to run');
await buildWhatIsStale();
await import('./first-start.mjs');
