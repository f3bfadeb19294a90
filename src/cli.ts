#!/usr/bin/env node
import './v8-flags.js';
import { runCommand } from './operator/program.js';

process.exitCode = await runCommand(process.argv);
