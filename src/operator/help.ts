import type { Command } from 'commander';

/** Appends examples to a command's `--help`. @param lines commands, with or without the name of the program */
export function addExamples(command: Command, ...lines: readonly string[]): Command {
  const text = lines.map((line) => `  $ ${line.includes('creator-data ') ? '' : 'creator-data '}${line}`).join('\n');
  return command.addHelpText('after', `\nExamples:\n${text}`);
}

/** Finds the deepest command that the arguments name. @param args without node and script */
export function findCommand(program: Command, args: readonly string[]): Command {
  const [first, ...rest] = args;
  const command = program.commands.find((candidate) => candidate.name() === first);
  return command === undefined ? program : findCommand(command, rest);
}

/** Returns the full name of a command: `creator-data keys list`. */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

/** Returns the name of a command without the name of the program: `keys list`. */
export const commandName = (command: Command): string => fullName(command).replace(/^\S+ /, '');
