import { setFlagsFromString } from 'node:v8';

/*
 * V8's flags of the service and of the commands, set before either allocates much. The heap may grow by 60 % before a full
 * collection: left to V8, one that grows fast quadruples. 70 % takes 7 MiB more and makes no list faster.
 * Threads have the limit of their young generation besides: `youngMib` in `database/sqlite/`.
 */
setFlagsFromString('--heap-growing-percent=60');
