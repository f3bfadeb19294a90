import { setFlagsFromString } from 'node:v8';

/*
 * Sets V8 flags for the service and the commands, before either allocates much. The heap may grow by 60 % before a full
 * garbage collection; by default a fast-growing heap quadruples. 70 % takes 7 MiB more and makes no list faster. Threads
 * also limit their young generation: see `youngGenerationMib` in `database/sqlite/`.
 */
setFlagsFromString('--heap-growing-percent=60');
