#!/usr/bin/env node
import { runCommand } from './operator/program.js';

process.exitCode = await runCommand(process.argv);
