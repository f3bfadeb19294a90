import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../support/files/project-root.js';
import { buildOnce } from '../../support/process/build.js';
import { freePort } from '../../support/stores/free-port.js';
import { httpRequest } from '../../support/http/request.js';
import { until } from '../../support/until.js';

const MAX_MIB = 40;

describe('the contents of the container image', () => {
  let folder: string;

  beforeAll(async () => {
    await buildOnce();
    execFileSync(process.execPath, ['scripts/release.mjs'], { cwd: ROOT });
    folder = mkdtempSync(join(tmpdir(), 'creator-data-release-'));
    cpSync(join(ROOT, 'dist/release'), folder, { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('fill an empty database, print a working key, become healthy, serve the pages and stop on request', async () => {
    const port = String(await freePort());
    const settings = { PATH: process.env.PATH, PORT: port, HOST: '127.0.0.1' };
    const child = spawn(process.execPath, ['scripts/start.mjs'], { cwd: folder, env: settings });
    const ended = once(child, 'exit');
    let [out, err] = ['', ''];
    child.stdout.on('data', (text) => (out += String(text)));
    child.stderr.on('data', (text) => (err += String(text)));
    try {
      await until('it serves', () => out.includes('"serving"'));
      const key = /^ {2}(cdk_\w+)$/m.exec(err)?.[1] ?? '';
      const path = '/platforms/live_platform/profiles/10001';
      const origin = `http://127.0.0.1:${port}`;
      expect((await httpRequest(origin, path, { headers: { 'x-api-key': key } })).status).toBe(200);
      for (const page of [
        '/',
        '/landing.css',
        '/docs',
        '/docs/swagger-ui.css',
        '/docs/swagger-ui-bundle.js',
        '/openapi.json',
      ]) {
        expect([page, (await fetch(origin + page)).status]).toEqual([page, 200]);
      }
      execFileSync(process.execPath, ['scripts/health.mjs'], { cwd: folder, env: settings });
    } finally {
      child.kill('SIGTERM');
    }
    expect((await ended)[0]).toBe(0);
  });

  it('fail their health check when no service answers', async () => {
    const env = { PATH: process.env.PATH, PORT: String(await freePort()) };
    const child = spawn(process.execPath, ['scripts/health.mjs'], { cwd: folder, env });
    expect((await once(child, 'exit'))[0]).toBe(1);
  });

  it('have the rights for the database, the example mappings and the page that the systemd unit names', () => {
    const unit = readFileSync(join(folder, 'deploy/systemd/creator-data.service'), 'utf8');
    const page = /^Documentation=file:\/\/\/opt\/creator-data\/current\/(.*)$/m.exec(unit)?.[1];
    for (const path of ['deploy/grants.sql', 'docs/mappings/twitch-channels.json', String(page)]) {
      expect([path, existsSync(join(folder, path))]).toEqual([path, true]);
    }
  });

  it('have every file that their pages link to', () => {
    const pages = ['README.md', ...readdirSync(join(folder, 'docs')).map((name) => `docs/${name}`)];
    const links = pages
      .filter((page) => page.endsWith('.md'))
      .flatMap((page) => {
        const targets = readFileSync(join(folder, page), 'utf8').matchAll(/\]\(((?!https?:|#)[^)#]+)/g);
        return Array.from(targets, ([, target = '']) => join(dirname(page), target));
      });
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !existsSync(join(folder, link)))).toEqual([]);
  });

  it(`take at most ${MAX_MIB} MiB`, () => {
    const sizes = readdirSync(join(ROOT, 'dist/release'), { recursive: true }).map(
      (path) => statSync(join(ROOT, 'dist/release', String(path))).size,
    );
    expect(sizes.reduce((sum, size) => sum + size, 0) / 1024 ** 2).toBeLessThan(MAX_MIB);
  });
});
