#!/usr/bin/env node
import './v8-flags.js';
import { FAILED } from './operator/output.js';
import { runCommand } from './operator/program.js';

// The reader of a pipe may have all that it wants, as `head` has: no reason to say anything.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`what it says could not be written to standard output: ${error.message}\n`);
  process.exit(FAILED);
});

process.exitCode = await runCommand(process.argv);
