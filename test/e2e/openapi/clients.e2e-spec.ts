import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../support/files/project-root.js';
import { present } from '../../support/present.js';
import { loadSampleData, SAMPLE_DATA, sampleRequestValues } from '../../support/records/sample-data.js';
import { TestService } from '../../support/service/test-service.js';

const run = promisify(execFile);

describe('clients that are generated from docs/openapi.json, compiled under strict TypeScript', () => {
  let service: TestService;
  let folder: string;
  beforeAll(async () => {
    service = await TestService.start('sqlite');
    await loadSampleData(service);
    // Inside the project, so that Node finds its packages.
    folder = mkdtempSync(join(ROOT, 'node_modules/.creator-data-clients-'));
    const generate = join(ROOT, 'test/clients/generate.mjs');
    await run(process.execPath, [generate, folder, service.origin]).catch(({ stdout, stderr }) => {
      throw new Error(`${stdout}${stderr}`);
    });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service.stop();
  });

  it.each(['openapi-fetch', 'hey-api', 'orval'])(
    '%s: gets from a handle to the profile, the pages of its content and the analysis',
    async (name) => {
      const { profiles, content, analysis } = SAMPLE_DATA;
      const { profile_id: id } = sampleRequestValues();
      const profile = present(profiles.find((one) => one.id === id));
      const env = {
        PATH: process.env.PATH,
        BASE_URL: service.origin,
        API_KEY: service.key,
        HANDLE: `@${profile.name}`,
      };
      const { stdout } = await run(process.execPath, [join(folder, `${name}.tour.mjs`)], { env });
      const { items, ...seen } = JSON.parse(stdout);
      const published = content.filter((item) => item.platform === 'live_platform' && item.profile_id === id);
      expect(items.toSorted()).toEqual(published.map(({ content_id }) => content_id).toSorted());
      expect(seen).toEqual({
        id,
        followers: profile.statistics.followers,
        pages: Math.ceil(published.length / 3),
        rating: present(analysis.find((one) => one.profile_id === id)).analysis.mpaa.rating,
      });
      expect(seen.pages).toBeGreaterThan(1);
    },
  );
});
