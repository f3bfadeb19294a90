import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ObservationEntity } from '../../../src/database/observation.entity.js';
import { SocialLinksEntity } from '../../../src/features/analysis/analysis.entities.js';
import { ContentEntity, GameContentEntity } from '../../../src/features/content/content.entity.js';
import { GameEntity } from '../../../src/features/games/game.entity.js';
import { ProfileEntity } from '../../../src/features/profiles/profile.entity.js';
import { aTwitchUser, uniqueId } from '../../support/records/builders.js';
import { runBuiltCommand } from '../../support/process/processes.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { toNdjson } from '../../support/sources/sources.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';

const TABLES = [ProfileEntity, ContentEntity, GameContentEntity, GameEntity, SocialLinksEntity, ObservationEntity];

const response = (path: string, ...data: readonly object[]) => ({
  url: `https://api.twitch.tv/helix/${path}`,
  fetched_at: '2026-01-31T09:30:00Z',
  body: { data, pagination: {} },
});

describeService('ingest', (service) => {
  const fileOf = (...documents: readonly unknown[]): string => {
    const file = join(service().testDatabase.folder, `${uniqueId()}.ndjson`);
    writeFileSync(file, toNdjson(...documents));
    return file;
  };
  const stored = () =>
    withoutSqlCheck(async () => {
      const { dataSource } = service().database;
      const documentsOf = (entity: (typeof TABLES)[number]) =>
        dataSource.createQueryBuilder<object>(entity, 'stored').select('stored.document', 'document').getRawMany();
      const tables = await Promise.all(TABLES.map(documentsOf));
      return tables.map((rows: { document: unknown }[]) => rows.map(({ document }) => String(document)).sort());
    });

  it('with --dry-run reports what would be stored, as the run itself does, and stores nothing', async () => {
    const [known, fresh, forgotten] = [uniqueId(), uniqueId(), uniqueId()];
    await runForJson(service().testDatabase, 'ingest', 'twitch', fileOf(response('users', aTwitchUser(known))));
    await runForJson(service().testDatabase, 'forget', 'live_platform', forgotten, '--unknown');
    const file = fileOf(response('users', aTwitchUser(known, 'Sings'), aTwitchUser(fresh), aTwitchUser(forgotten)), {
      bad: 1,
    });
    const before = await stored();
    const run = (...args: string[]) =>
      runInProcess(service().testDatabase, 'ingest', 'twitch', file, '--json', ...args);
    const dry = await run('--dry-run');
    expect(await stored()).toEqual(before);
    expect(existsSync(`${file}.rejected.ndjson`)).toBe(false);
    const real = await run();
    const [predicted, actual] = [JSON.parse(dry.out), JSON.parse(real.out)];
    expect(predicted).toMatchObject({ dry_run: true, records: { profiles: 2 }, updated: 1, rejected: 2 });
    expect({ ...predicted, dry_run: false, seconds: 0 }).toEqual({ ...actual, seconds: 0 });
    expect([dry.status, real.status]).toEqual([2, 2]);
    expect(await stored()).not.toEqual(before);
  });

  it('prints numbers of one in the singular, and the reasons of a dry run', async () => {
    const file = fileOf(response('users', aTwitchUser(uniqueId())));
    const { out } = await runInProcess(service().testDatabase, 'ingest', 'twitch', file, '--dry-run');
    expect(out).toMatch(/^1 document read in .* 0 rejected\nwould load: 1 profile\n/);
    const bad = await runInProcess(service().testDatabase, 'ingest', 'twitch', fileOf({ bad: 1 }), '--dry-run');
    expect(bad.out).toMatch(/1 rejected\n {2}1 × .+\nwould load: nothing\n/);
    const nameless = fileOf(response('users', { ...aTwitchUser(uniqueId()), id: undefined }));
    const { out: reasons } = await runInProcess(service().testDatabase, 'ingest', 'twitch', nameless, '--dry-run');
    expect(reasons).toContain('1 × data[].id: is missing\n');
  });

  it('with --metrics writes a file for the text collector: documents, bytes, records, and whether it has ended', async () => {
    const file = fileOf(response('users', aTwitchUser(uniqueId()), aTwitchUser(uniqueId())), { bad: 1 });
    const metrics = join(service().testDatabase.folder, 'ingest.prom');
    const settings = { DATABASE_URL: service().testDatabase.url };
    const { status } = await runBuiltCommand(['ingest', 'twitch', file, '--metrics', metrics], settings);
    expect(status).toBe(2);
    const lines = readFileSync(metrics, 'utf8').split('\n');
    for (const line of [
      'creator_data_ingest_documents_total{source="twitch",outcome="read"} 2',
      'creator_data_ingest_documents_total{source="twitch",outcome="rejected"} 1',
      'creator_data_ingest_records_total{source="twitch",kind="profiles"} 2',
      `creator_data_ingest_read_bytes{source="twitch",file="${file}"} ${statSync(file).size}`,
      `creator_data_ingest_progress_ratio{source="twitch",file="${file}"} 1`,
      'creator_data_ingest_running{source="twitch"} 0',
    ])
      expect(lines).toContain(line);
  });

  it('protects its inputs from --metrics', async () => {
    const file = fileOf(response('users', aTwitchUser(uniqueId())));
    const { status, err } = await runInProcess(service().testDatabase, 'ingest', 'twitch', file, '--metrics', file);
    expect([status, err]).toEqual([1, expect.stringContaining('--metrics would overwrite it')]);
  });
});
