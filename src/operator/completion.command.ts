import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { addExamples } from './help.js';

/** Name of the command that the library adds. The generated shell scripts call the same command. */
const COMPLETION = 'completion';

/** Adds `completion SHELL`. Call it last: it completes only the commands added before it. */
export function addCompletionCommand(program: Command): void {
  tab(program, { completionCommandName: COMPLETION });
  const command = program.commands.find((candidate) => candidate.name() === COMPLETION);
  if (command === undefined) throw new Error(`the completion library no longer adds a command named ${COMPLETION}`);
  command.description(
    'Prints the script that completes commands and options in a shell: bash, zsh, fish or powershell',
  );
  addExamples(
    command,
    'source <(creator-data completion bash)     # in ~/.bashrc',
    'source <(creator-data completion zsh)      # in ~/.zshrc, after compinit',
    'creator-data completion fish > ~/.config/fish/completions/creator-data.fish',
  );
}
