#!/usr/bin/env node
import './v8-flags.js';
import './private-files.js';
import { DONE, FAILED } from './operator/output.js';
import { runCommand } from './operator/program.js';
import { printLines } from './operator/terminal.js';

/** Time for a command to say what it has done, once its result cannot be written. */
const LAST_WORDS_MS = 1000;

let status = DONE;

// A reader such as `head` may close the pipe early. That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || status === FAILED) return;
  status = FAILED;
  printLines(process.stderr, `cannot write to standard output: ${error.message}`);
  process.exitCode = FAILED;
  setTimeout(() => process.exit(FAILED), LAST_WORDS_MS).unref();
});

const result = await runCommand(process.argv);
process.exitCode = status === FAILED ? FAILED : result;
