import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from '@jest/globals';
import { IMPORT_KINDS } from '../../../src/operator/import/parse-line.js';
import { ROOT } from '../../support/files/project-root.js';
import { describeService } from '../../support/service/test-service.js';

/** Printed between the commands, to separate their outputs. */
const MARK = '--- next command ---';

const guide = readFileSync(join(ROOT, 'docs/guide.md'), 'utf8');
const commands = [...guide.matchAll(/^```sh\n(.*?)^```\n\n```text\n(.*?)^```/gms)].map(
  ([, command = '', printed = '']) => ({ command, printed, title: command.split('\n', 1)[0] }),
);

describeService('the guide', (service) => {
  let printed: string[];
  beforeAll(async () => {
    for (const kind of IMPORT_KINDS) {
      const text = readFileSync(join(ROOT, 'sample-data', `${kind}.ndjson`), 'utf8');
      await service().loadLines(kind, text.trimEnd().split('\n'));
    }
    const script = commands.map(({ command }) => `echo '${MARK}'\n${command}`).join('');
    const env = { PATH: process.env.PATH, BASE: service().origin, KEY: service().key };
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], { env });
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
});
