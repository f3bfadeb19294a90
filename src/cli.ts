#!/usr/bin/env node
import './v8-flags.js';
import { FAILED } from './operator/output.js';
import { runCommand } from './operator/program.js';
import { print } from './operator/terminal.js';

// The reader of a pipe may have all that it wants, as `head` has: no reason to say anything.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  print(process.stderr, `what it says could not be written to standard output: ${error.message}`);
  process.exit(FAILED);
});

process.exitCode = await runCommand(process.argv);
