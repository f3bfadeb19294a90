import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { openBrowser, openPage } from '../../support/browser/browser.js';
import { CHROMIUM } from '../../support/browser/chromium.js';
import { ClientSession } from '../../support/clients/client-session.js';
import { itShowsWhatIsPrinted, outputsOf, programOf, readmeExamples } from '../../support/clients/readme.js';
import { ROOT } from '../../support/files/project-root.js';
import { TcpProxy } from '../../support/stores/tcp-proxy.js';

const examples = readmeExamples('clients/typescript/README.md', 'ts');

const describeBrowser = CHROMIUM === null ? describe.skip : describe;

describe('the package for npm', () => {
  let session: ClientSession;
  let printed: string[];
  const compile = (...files: readonly string[]) => {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noUnusedLocals: true,
      target: 'es2023',
      module: 'nodenext',
      typeRoots: [join(ROOT, 'node_modules/@types')],
      types: ['node'],
    };
    writeFileSync(join(session.client.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    return promisify(execFile)(process.execPath, [tsc, '-p', session.client.folder]).then(
      () => '',
      ({ stdout }) => String(stdout),
    );
  };
  beforeAll(async () => {
    session = await ClientSession.open('TypeScript');
    writeFileSync(
      join(session.client.folder, 'readme.ts'),
      programOf(examples, (text) => `console.log('${text}');`),
    );
    const problems = await compile('readme.ts');
    if (problems !== '') throw new Error(problems);
    printed = outputsOf(
      await session.client.run('readme.js', { BASE: session.service.origin, KEY: session.service.key }),
    );
  });
  afterAll(() => session.close());

  it('installs nothing but itself: code, types, README and licence', () => {
    const packages = readdirSync(join(session.client.folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(packages).toEqual(['creator-data-client']);
    const folder = join(session.client.folder, 'node_modules/creator-data-client');
    expect(readdirSync(folder).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    expect(existsSync(join(folder, 'dist/index.d.ts'))).toBe(true);
    expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
  });

  itShowsWhatIsPrinted(examples, () => printed);

  it('has types that reject wrong calls', async () => {
    const wrong: Readonly<Record<string, string>> = {
      'an unknown parameter': "client.profiles.list({ platform: 'live_platform', page: 2 })",
      'an unknown value': "client.profiles.get({ platform: 'myspace', profile_id: '1' })",
      'a missing parameter': "client.profiles.get({ platform: 'live_platform' })",
      'an unknown member of a record': '(await client.games.search({ query: "x" })).payload[0]?.title',
      'an earlier answer to another operation': 'client.health.get({}, { previous: await client.usage.get() })',
    };
    const program = `
import { CreatorDataClient } from 'creator-data-client';
const client = new CreatorDataClient({ baseUrl: '', apiKey: '' });
${Object.values(wrong).join(';\n')};
export {};`;
    writeFileSync(join(session.client.folder, 'wrong.ts'), program);
    const lines = [...(await compile('wrong.ts')).matchAll(/^\S*wrong\.ts\((\d+),/gm)].map(
      ([, line]) => Number(line) - 4,
    );
    expect(lines.map((line) => Object.keys(wrong)[line])).toEqual(Object.keys(wrong));
  });

  it('rejects with the reason of its signal, in flight and between retries', async () => {
    const proxy = await TcpProxy.to(session.service.origin, 80);
    const driver = session.client.start({ baseUrl: `http://127.0.0.1:${proxy.port}`, apiKey: session.service.key });
    proxy.hang();
    const error = { type: 'TimeoutError', message: expect.stringContaining('aborted') };
    expect((await driver.call({ method: 'usage.get', abortAfterMs: 300 })).error).toMatchObject(error);
    await proxy.restore();
    const { key } = await session.service.newKey(1);
    const limited = session.client.start({ baseUrl: session.service.origin, apiKey: key });
    await limited.call({ method: 'usage.get' });
    const startedAt = performance.now();
    expect((await limited.call({ method: 'usage.get', abortAfterMs: 300 })).error).toMatchObject(error);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    await driver.stop();
    await limited.stop();
    await proxy.close();
  });

  describeBrowser('in a browser', () => {
    it('works on a page of the service', async () => {
      const bundle = await build({
        stdin: { contents: "export * from 'creator-data-client';", resolveDir: session.client.folder },
        bundle: true,
        format: 'iife',
        globalName: 'creatorData',
        write: false,
      });
      const browser = await openBrowser();
      const { page } = await openPage(browser, session.service.origin);
      const call = `
      const client = new creatorData.CreatorDataClient({ baseUrl: location.origin, apiKey: ${JSON.stringify(session.service.key)}, cache: new Map() });
      const get = () => client.profiles.get({ platform: 'live_platform', profile_id: '10001' });
      return [await get(), await get()].map(({ status, payload, cost }) => [status, payload.display_name, cost.quotaUnits]);`;
      const seen = await page.evaluate(`(async () => { ${bundle.outputFiles[0]?.text ?? ''}\n${call} })()`);
      await browser.close();
      expect(seen).toEqual([
        [200, 'Lumen Vale', 1],
        [304, 'Lumen Vale', 0],
      ]);
    });
  });
});
