import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../support/files/project-root.js';
import { buildOnce } from '../../support/process/build.js';
import { HAS_NGINX, HAS_SYSTEMD, SimulatedMachine } from '../../support/deployment/simulated-machine.js';

const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');

/** Returns the code blocks below a heading. */
function blocksBelow(heading: string): string[] {
  const [, ...rest] = page.split(new RegExp(`^#+ ${heading}$`, 'm'));
  const [section = ''] = rest.join('').split(/^#+ /m);
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
}

if (HAS_NGINX) {
  describe('on a server with systemd and nginx', () => {
    const [release = '', install = '', start = '', work = '', upgrade = '', back = ''] = blocksBelow(
      'On a server, with systemd and nginx',
    );
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
      machine.run(release + install);
      machine.configure();
      key = /cdk_\w+/.exec(machine.run(start))?.[0] ?? '';
    });
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

    it('commands read the settings of the operator after those of the service, which does not read them', async () => {
      const file = '/etc/creator-data-operator.env';
      machine.run(`echo DATABASE_URL=sqlite:/var/lib/creator-data/operator.sqlite >> ${file}`);
      expect(machine.run('creator-data doctor || true')).toContain('operator.sqlite');
      machine.run('systemctl restart creator-data');
      expect((await profiles()).status).toBe(200);
      machine.run(`install -m 600 deploy/systemd/creator-data-operator.env ${file}`);
      expect(machine.run('creator-data doctor || true')).not.toContain('operator.sqlite');
    });

    it('commands write to the working folder of the page', () => {
      machine.run(`${work} creator-data usage report --month 2020-01 --out report`);
      expect(machine.run('ls /var/lib/creator-data/work')).toBe('report\n');
    });

    it('commands use the database that their caller names', () => {
      const doctor = 'DATABASE_URL=sqlite:/var/lib/creator-data/named.sqlite creator-data doctor || true';
      expect(machine.run(doctor)).toContain('named.sqlite');
    });

    it('an upgrade and its rollback keep keys and records', async () => {
      const before = Number(requests());
      machine.run(embedded(release + upgrade).replace(/^VERSION=.*$/m, 'VERSION=999.0.0'));
      expect((await profiles()).status).toBe(200);
      expect(machine.run('readlink /opt/creator-data/current')).toBe('releases/999.0.0\n');
      machine.run(back.replace(/^PREVIOUS=.*$/m, `PREVIOUS=${VERSION}`));
      expect((await profiles()).status).toBe(200);
      expect(machine.run('readlink /opt/creator-data/current')).toBe(`releases/${VERSION}\n`);
      expect(Number(requests())).toBe(before + 2);
    });

    it('the commands of the page restore a backup that was made while the service ran', async () => {
      await profiles();
      const before = requests();
      machine.run(embedded(backUp));
      await profiles();
      expect(requests()).not.toBe(before);
      expect(machine.run(embedded(restore))).toContain('builds its search index anew');
      expect(requests()).toBe(before);
      expect((await profiles()).status).toBe(200);
    });
  });
}

describe('the settings files beside the unit', () => {
  const textOf = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8');

  it.each(['creator-data.env', 'creator-data-operator.env'])('%s has only settings that the page explains', (file) => {
    const names = textOf(`systemd/${file}`).match(/^(?:# )?([A-Z_]+)(?==)/gm);
    expect(names?.length).toBeGreaterThan(1);
    for (const name of names ?? []) expect(page).toContain(`\`${name.replace('# ', '')}\``);
  });

  it('name the database users that deploy/grants.sql gives rights to', () => {
    for (const user of ['service', 'operator'] as const) {
      const file = user === 'service' ? 'creator-data.env' : 'creator-data-operator.env';
      const [, name = ''] = /DATABASE_URL=mysql:\/\/(\w+)@/.exec(textOf(`systemd/${file}`)) ?? [];
      expect(name).toBe(`creator_data_${user}`);
      expect(textOf('grants.sql')).toContain(` TO ${name};`);
    }
  });

  it('give collecting the database user of the operator', () => {
    const files = textOf('systemd/creator-data-collect@.service').match(/^EnvironmentFile=.*$/gm);
    expect(files?.slice(0, 2)).toEqual([
      'EnvironmentFile=/etc/creator-data.env',
      'EnvironmentFile=-/etc/creator-data-operator.env',
    ]);
  });
});

describe('the drop-in for metrics of collecting', () => {
  it('adds a file that the alerts find to the command of the unit', () => {
    const commandIn = (name: string) =>
      /^ExecStart=(.+)$/m.exec(readFileSync(join(ROOT, 'deploy/systemd', name), 'utf8'))?.[1] ?? '';
    const folder = '/var/lib/creator-data-metrics';
    expect(commandIn('creator-data-collect-metrics.conf')).toBe(
      `${commandIn('creator-data-collect@.service')} --metrics ${folder}/collect-%i.prom`,
    );
    const alerts = readFileSync(join(ROOT, 'deploy/monitoring/alerts.yml'), 'utf8');
    const [, file = ''] = /node_textfile_mtime_seconds\{file=~"([^"]+)"/.exec(alerts) ?? [];
    expect(`${folder}/collect-twitch.prom`).toMatch(new RegExp(`^(?:${file})$`));
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
    const units = ['creator-data.service', 'creator-data-collect@.service', 'creator-data-collect@.timer'];
    it.each(units)('%s is accepted by systemd', (name) => {
      const unit = join(ROOT, 'deploy/systemd', name);
      const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
      const complaints = stderr.split('\n').filter((line) => line.includes('creator-data'));
      // The program of the unit is not on this machine.
      expect(complaints.filter((line) => !/is not executable/.test(line))).toEqual([]);
    });
  });
}
