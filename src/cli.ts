#!/usr/bin/env node
import './v8-flags.js';
import './private-files.js';
import { FAILED } from './operator/output.js';
import { runCommand } from './operator/program.js';
import { printLines } from './operator/terminal.js';

// A reader such as `head` may close the pipe early. That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  printLines(process.stderr, `cannot write to standard output: ${error.message}`);
  process.exit(FAILED);
});

process.exitCode = await runCommand(process.argv);
