#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { runCommand } from './operator/program.js';

// Collects garbage early: without, an import would let the heap grow to several times what it needs.
setFlagsFromString('--optimize-for-size');

process.exitCode = await runCommand(process.argv);
