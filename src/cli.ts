#!/usr/bin/env -S node --max-semi-space-size=16
import { setFlagsFromString } from 'node:v8';
import { runCommand } from './operator/program.js';

// Old garbage is looked for when the heap has doubled: left to V8, an import's would grow to several times what it needs. By
// half, it was looked for five times a second.
setFlagsFromString('--heap-growing-percent=100');

process.exitCode = await runCommand(process.argv);
