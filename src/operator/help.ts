import type { Command } from 'commander';

/** Adds lines to the end of a command's `--help` that can be typed as they are. @param lines the program's name may be left out */
export function withExamples(command: Command, ...lines: readonly string[]): Command {
  const text = lines.map((line) => `  $ ${line.includes('creator-data ') ? '' : 'creator-data '}${line}`).join('\n');
  return command.addHelpText('after', `\nExamples:\n${text}`);
}

/** The command that the arguments name, as far as they do. @param args without node and script */
export function commandNamed(program: Command, args: readonly string[]): Command {
  const [first, ...rest] = args;
  const command = program.commands.find((each) => each.name() === first);
  return command === undefined ? program : commandNamed(command, rest);
}

/** A command's name as it is typed: `creator-data keys list`. */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}
