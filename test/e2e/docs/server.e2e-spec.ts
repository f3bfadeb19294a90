import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../support/files/project-root.js';
import { buildOnce } from '../../support/process/build.js';
import { HAS_NGINX, HAS_SYSTEMD, SimulatedMachine } from '../../support/deployment/simulated-machine.js';

const TIMEOUT_MS = 120_000;
const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');

/** Returns the code blocks below a heading. */
function blocksBelow(heading: string): string[] {
  const [, ...rest] = page.split(new RegExp(`^#+ ${heading}$`, 'm'));
  const [section = ''] = rest.join('').split(/^#+ /m);
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
}

if (HAS_NGINX) {
  describe('on a server with systemd and nginx', () => {
    const [install = '', start = '', upgrade = '', back = ''] = blocksBelow('On a server, with systemd and nginx');
    const [backUp = '', restore = ''] = blocksBelow('Backup');
    /** Keeps the lines of a block that apply to the embedded database. */
    const embedded = (block: string) =>
      block
        .split('\n')
        .filter((line) => !line.startsWith('mariadb'))
        .join('\n');
    let machine: SimulatedMachine;
    let key: string;
    const profiles = () => machine.get('/platforms/live_platform/profiles', key);
    const requests = () =>
      machine
        .run('creator-data usage summary --from 2000-01-01 --to 2999-12-31 --json')
        .match(/"requests": ?(\d+)/)?.[1];

    beforeAll(async () => {
      await buildOnce();
      machine = await SimulatedMachine.create();
      machine.run(install);
      machine.configure();
      key = /cdk_\w+/.exec(machine.run(start))?.[0] ?? '';
    }, TIMEOUT_MS);
    afterAll(() => machine.remove());

    it('the commands of the page install a service that answers through nginx', async () => {
      expect((await machine.get('/health')).status).toBe(200);
      const { status, headers } = await profiles();
      expect([status, headers['x-credits']]).toEqual([200, expect.any(String)]);
      const redirect = await fetch(`${machine.httpOrigin}/health`, { redirect: 'manual' });
      expect([redirect.status, redirect.headers.get('location')]).toEqual([301, 'https://127.0.0.1/health']);
    });

    it('an error of the service keeps its envelope', async () => {
      const answer = await machine.get('/platforms/nowhere/profiles', key);
      expect([answer.status, JSON.parse(answer.text).error.status]).toEqual([400, 400]);
    });

    it('nginx answers 503 in the envelope with Retry-After while the service is down', async () => {
      machine.run('systemctl stop creator-data');
      const { status, headers, text } = await profiles();
      machine.run('systemctl restart creator-data');
      expect([status, headers['retry-after'], JSON.parse(text)]).toEqual([
        503,
        '1',
        {
          error: expect.objectContaining({ status: 503, message: 'Service unavailable', code: 'service_unavailable' }),
          meta: { request_id: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/) },
        },
      ]);
      expect((await profiles()).status).toBe(200);
    });

    it('an upgrade and its rollback keep keys and records', async () => {
      const before = Number(requests());
      machine.run(upgrade);
      expect((await profiles()).status).toBe(200);
      expect(machine.run('readlink /opt/creator-data/current')).toBe('releases/1.1.0\n');
      machine.run(back);
      expect((await profiles()).status).toBe(200);
      expect(machine.run('readlink /opt/creator-data/current')).toBe('releases/1.0.0\n');
      expect(Number(requests())).toBe(before + 2);
    });

    it('the commands of the page restore a backup that was made while the service ran', async () => {
      await profiles();
      const before = requests();
      machine.run('ln -sfn /var/lib/creator-data data', 'opt');
      machine.run(embedded(backUp), 'opt');
      await profiles();
      expect(requests()).not.toBe(before);
      machine.run('systemctl stop creator-data');
      machine.run(embedded(restore), 'opt');
      machine.run('systemctl restart creator-data');
      expect(requests()).toBe(before);
      expect((await profiles()).status).toBe(200);
    });
  });
}

describe('the settings file beside the unit', () => {
  it('has only settings that the page explains', () => {
    const names = readFileSync(join(ROOT, 'deploy/systemd/creator-data.env'), 'utf8').match(/^(?:# )?([A-Z_]+)(?==)/gm);
    expect(names?.length).toBeGreaterThan(5);
    for (const name of names ?? []) expect(page).toContain(`\`${name.replace('# ', '')}\``);
  });
});

describe('the systemd unit', () => {
  const unit = readFileSync(join(ROOT, 'deploy/systemd/creator-data.service'), 'utf8');
  /** Returns the value of a setting in a section. */
  const valueOf = (section: string, name: string) =>
    new RegExp(`^\\[${section}\\]\n(?:(?!\\[).*\n)*?${name}=(.*)$`, 'm').exec(unit)?.[1];

  it('restarts the service for ever, without haste, because a start fails while the database is down', () => {
    expect(valueOf('Service', 'Restart')).toBe('on-failure');
    expect(valueOf('Unit', 'StartLimitIntervalSec')).toBe('0');
    expect(Number(valueOf('Service', 'RestartSec'))).toBeGreaterThan(1);
  });
});

if (HAS_SYSTEMD) {
  describe('the systemd unit', () => {
    it('is accepted by systemd', () => {
      const unit = join(ROOT, 'deploy/systemd/creator-data.service');
      const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
      const complaints = stderr.split('\n').filter((line) => line.includes('creator-data.service'));
      // The program of the unit is not on this machine.
      expect(complaints.filter((line) => !/is not executable/.test(line))).toEqual([]);
    });
  });
}
