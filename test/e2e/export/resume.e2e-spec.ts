import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readConfig } from '../../../src/model/config.js';
import { ProgressEntity } from '../../../src/database/progress.entity.js';
import { openDatabase } from '../../../src/schema/open-database.js';
import { differenceOf } from '../../support/http/difference.js';
import { aContent, aProfile } from '../../support/records/builders.js';
import { textsOf } from '../../support/records/export-folder.js';
import { BuiltProcess } from '../../support/process/processes.js';
import { runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';
import { createTestDatabase } from '../../support/stores/test-database.js';
import { until } from '../../support/until.js';

/** Records of the largest file: some batches of 12 MiB. */
const RECORDS = 1200;
const DESCRIPTION = 'x'.repeat(40_000);

describeService('import FOLDER --resume', (service) => {
  it('after a kill goes on where it stopped, and the store is that of the export', async () => {
    const profiles = Array.from({ length: RECORDS }, (_, nth) =>
      aProfile({ id: `p${nth}`, description: `${nth} ${DESCRIPTION}` }),
    );
    await service().load('profiles', ...profiles);
    await service().load('content', aContent({ profile_id: 'p1' }), aContent({ profile_id: 'p2' }));
    const exportOf = async (database: { readonly url: string }, name: string) => {
      const folder = join(service().testDatabase.folder, name);
      await runForJson(database, 'export', '--out', folder);
      return folder;
    };
    const folder = await exportOf(service().testDatabase, 'first');
    const target = await createTestDatabase(service().dialect);
    try {
      await runForJson(target, 'migrate');
      const database = await openDatabase(readConfig({ DATABASE_URL: target.url }).database);
      const isStored = () => withoutSqlCheck(() => database.dataSource.getRepository(ProgressEntity).count());
      const started = await BuiltProcess.start('cli.mjs', ['import', folder], { DATABASE_URL: target.url });
      try {
        await until('a batch is stored', async () => (await isStored()) > 0);
        started.signal('SIGKILL');
      } finally {
        await database.close();
      }
      expect((await started.ended).status).toBeNull();
      const reports: { file: string; resumed_after: number }[] = await runForJson(target, 'import', folder, '--resume');
      expect(reports.some(({ resumed_after }) => resumed_after > 0)).toBe(true);
      expect(differenceOf(textsOf(await exportOf(target, 'second')), textsOf(folder))).toBeNull();
    } finally {
      await target.drop();
    }
  });
});
