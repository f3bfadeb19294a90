import { setFlagsFromString } from 'node:v8';

/*
 * V8's flags of the service and of the commands, set before either allocates much. The heap may double before a full
 * collection: left to V8, one that grows fast quadruples.
 */
setFlagsFromString('--heap-growing-percent=100');
