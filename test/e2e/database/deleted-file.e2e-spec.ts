import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

const PROFILES = '/platforms/live_platform/profiles';

describe('an embedded database whose files are deleted while the service runs', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await TestService.start('sqlite');
  });
  afterEach(() => service.stop());

  const data = () => service.testDatabase.url.slice('sqlite:'.length);
  const usage = () => data().replace('.sqlite', '-usage.sqlite');

  it.each([
    ['the folder', () => rmSync(service.testDatabase.folder, { recursive: true })],
    ['the file of the data', () => rmSync(data())],
  ])('is reported by the health check, and no request is answered without its record: %s', async (_what, remove) => {
    expect([(await service.get(PROFILES)).status, (await service.get('/health')).status]).toEqual([200, 200]);
    remove();
    await until('the health check answers 503', async () => (await service.get('/health')).status === 503);
    expect((await service.get('/health')).body.payload.checks.database).toBe('down');
    await until('requests are rejected', async () => (await service.get(PROFILES)).status === 503);
  });

  it('records no further request in a deleted usage file', async () => {
    rmSync(usage());
    expect((await service.get(PROFILES)).status).toBe(503);
    expect((await service.get('/health')).status).toBe(503);
  });

  it('does not adopt another file in its place, and is served again when the original file is restored', async () => {
    const away = join(service.testDatabase.folder, 'away');
    mkdirSync(away);
    const files = ['', '-wal', '-shm'].map((end) => data() + end);
    const move = (back: boolean) => {
      for (const file of files) {
        const other = join(away, basename(file));
        if (back) renameSync(other, file);
        else renameSync(file, other);
      }
    };
    const health = async () => (await service.get('/health')).status;
    move(false);
    const second = await TestService.start('sqlite');
    renameSync(second.testDatabase.url.slice('sqlite:'.length), data());
    expect(await health()).toBe(503);
    await second.stop();
    rmSync(data());
    move(true);
    expect([await health(), (await service.get(PROFILES)).status]).toEqual([200, 200]);
  });
});
