import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { withExamples } from './help.js';

/** Names of the two commands that the library adds: one for people, one that the shells' scripts ask. */
const COMPLETION = 'completion';

/** Adds `completion SHELL`. To be called last: it completes the commands that are there. */
export function addCompletionCommand(program: Command): void {
  tab(program, { completionCommandName: COMPLETION });
  const command = program.commands.find((each) => each.name() === COMPLETION);
  if (command === undefined) throw new Error('the library for completion adds no command of this name any more');
  command.description('Prints what makes a shell complete commands and options: bash, zsh, fish or powershell');
  withExamples(
    command,
    'source <(creator-data completion bash)     # in ~/.bashrc',
    'source <(creator-data completion zsh)      # in ~/.zshrc, after compinit',
    'creator-data completion fish > ~/.config/fish/completions/creator-data.fish',
  );
}
