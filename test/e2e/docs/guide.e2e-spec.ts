import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from '@jest/globals';
import { forgetCreator } from '../../../src/operator/import/forget.js';
import { FORCED_ANSWERS } from '../../../src/http/forced-answer.js';
import { InstalledClient, LANGUAGES } from '../../support/clients/installed-client.js';
import { storedRecords } from '../../support/changes/stored-records.js';
import { readmeExamples } from '../../support/clients/readme.js';
import { ROOT } from '../../support/files/project-root.js';
import { aProfile } from '../../support/records/builders.js';
import { runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';

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
  });

  it('shows the output of every command', () => {
    expect(commands).toHaveLength(guide.match(/^```sh$/gm)?.length ?? 0);
    expect(commands.length).toBeGreaterThan(5);
  });

  it.each(commands.map((command, index) => ({ ...command, index })))('shows the real output: $title', (command) => {
    // JSON answers have no final line break.
    expect(printed[command.index]?.trimEnd()).toBe(command.printed.trimEnd());
  });

  it.each(LANGUAGES)('shows a %s program that keeps a copy', async (language) => {
    const [file, marker] =
      language === 'TypeScript' ? (['mirror.mjs', 'ts'] as const) : (['mirror.py', 'python'] as const);
    const [example] = readmeExamples('docs/guide.md', marker);
    expect(example?.code.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
    const profile = aProfile();
    const socials = (links: readonly object[]) => ({ platform_id: 'live_platform', profile_id: profile.id, links });
    await service().load('socials', socials([]));
    const client = await InstalledClient.install(language);
    const keepCopy = async () => {
      const printed = await client.run(file, { BASE: service().origin, KEY: service().key });
      const copy = JSON.parse(readFileSync(join(client.folder, 'copy.json'), 'utf8')) as { records: object };
      expect(copy.records).toEqual(Object.fromEntries(await storedRecords(service(), 'socials')));
      return printed;
    };
    try {
      writeFileSync(join(client.folder, file), String(example?.code));
      await keepCopy();
      expect(await keepCopy()).toBe('0 changes\n');
      await service().load('socials', socials([{ id: 'x', platform_id: 'photo_platform' }]));
      expect(await keepCopy()).toBe('1 changes\n');
      await forgetCreator(service().database, 'live_platform', profile.id, Date.now());
      expect(await keepCopy()).toBe('1 changes\n');
      await runForJson(service().testDatabase, 'restored');
      await keepCopy();
    } finally {
      client.remove();
    }
  });

  it('shows a program that does the right thing with every forced answer', async () => {
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
  });
});
