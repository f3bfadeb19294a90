import type { Command } from 'commander';
import { forget, undoForget } from './import/forget.js';
import type { Platform } from '../model/platforms.js';
import { platform } from './arguments.js';
import { DONE, FAILED } from './output.js';
import type { RunWith } from './command.js';
import { withExamples } from './help.js';

export function addForgetCommand(program: Command, run: RunWith): void {
  const command = program
    .command('forget')
    .description('Removes a creator for good; later lines about them are rejected')
    .argument('<platform>', 'platform of the profile', platform)
    .argument('<profile_id>', 'ID of the profile')
    .option('--undo', 'let the creator be loaded again')
    .option('--json', 'machine-readable result')
    .action((on: Platform, profileId: string, options: { undo?: true }, command: Command) =>
      run(
        command,
        async ({ database, output }) => {
          if (options.undo) {
            if (await undoForget(database, on, profileId)) {
              output.result(
                { platform: on, profile_id: profileId, forgotten: false },
                `${on} ${profileId} can be loaded again.`,
              );
              return DONE;
            }
            output.say(`${on} ${profileId} was not forgotten.`);
            return FAILED;
          }
          const removed = await forget(database, on, profileId, Date.now());
          output.result(
            { platform: on, profile_id: profileId, forgotten: true, removed },
            `Removed ${removed.profiles} profile, ${removed.content} items of content, ${removed.documents} documents and ${removed.links} links of others.`,
          );
          return DONE;
        },
        'existing',
      ),
    );
  withExamples(command, 'forget live_platform 10001', 'forget live_platform 10001 --undo');
}
