#!/usr/bin/env -S node --max-semi-space-size=16 --initial-old-space-size=64
import { setFlagsFromString } from 'node:v8';
import { runCommand } from './operator/program.js';

// Old garbage is looked for when the heap has grown by half: an import would let it grow to several times what it needs.
// Not below the 64 MiB of the first line, though: an import would look for it five times a second.
setFlagsFromString('--heap-growing-percent=50');

process.exitCode = await runCommand(process.argv);
