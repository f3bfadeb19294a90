import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from '@jest/globals';
import { FORCED_ANSWERS } from '../../../src/http/forced-answer.js';
import { InstalledClient } from '../../support/clients/installed-client.js';
import { readmeExamples } from '../../support/clients/readme.js';
import { ROOT } from '../../support/files/project-root.js';
import { describeService } from '../../support/service/test-service.js';

/** Time for packing and installing the client. */
const CLIENT_TIMEOUT_MS = 120_000;

/** Printed between the commands, to separate their outputs. */
const MARK = '--- next command ---';

const guide = readFileSync(join(ROOT, 'docs/guide.md'), 'utf8');
const commands = [...guide.matchAll(/^```sh\n(.*?)^```\n\n```text\n(.*?)^```/gms)].map(
  ([, command = '', printed = '']) => ({ command, printed, title: command.split('\n', 1)[0] }),
);

describeService('the guide', (service) => {
  let printed: string[];
  let env: { readonly BASE: string; readonly KEY: string };
  beforeAll(async () => {
    env = { BASE: service().origin, KEY: (await service().newTestKey()).key };
    const script = commands.map(({ command }) => `echo '${MARK}'\n${command}`).join('');
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], {
      env: { PATH: process.env.PATH, ...env },
    });
    printed = stdout.split(`${MARK}\n`).slice(1);
  }, 30_000);

  it('shows the output of every command', () => {
    expect(commands).toHaveLength(guide.match(/^```sh$/gm)?.length ?? 0);
    expect(commands.length).toBeGreaterThan(5);
  });

  it.each(commands.map((command, index) => ({ ...command, index })))('shows the real output: $title', (command) => {
    // JSON answers have no final line break.
    expect(printed[command.index]?.trimEnd()).toBe(command.printed.trimEnd());
  });

  it(
    'shows a program that does the right thing with every forced answer',
    async () => {
      const [program = '', shown = ''] = readmeExamples('docs/guide.md', 'js').flatMap(({ code, printed: text }) => [
        code,
        text,
      ]);
      for (const name of FORCED_ANSWERS) expect(shown).toMatch(new RegExp(`^${name} -> `, 'm'));
      const client = await InstalledClient.install('TypeScript');
      try {
        writeFileSync(join(client.folder, 'guide.mjs'), program);
        expect(await client.run('guide.mjs', env)).toBe(shown);
      } finally {
        client.remove();
      }
    },
    CLIENT_TIMEOUT_MS,
  );
});
