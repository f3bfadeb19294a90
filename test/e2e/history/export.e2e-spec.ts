import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { historyLine, observed } from '../../support/history.js';
import { textsOf } from '../../support/records/export-folder.js';
import { uniqueId } from '../../support/records/builders.js';
import { runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';

describeService('export history', (service) => {
  const exported = async (): Promise<string[]> => {
    const folder = join(service().testDatabase.folder, uniqueId());
    await runForJson(service().testDatabase, 'export', 'history', '--platform', 'live_platform', '--out', folder);
    const [text = ''] = Object.values(textsOf(folder));
    return text
      .trimEnd()
      .split('\n')
      .map((line) => {
        const { profile_id, observed_at, followers } = JSON.parse(line) as ReturnType<typeof historyLine> & {
          observed_at: string;
        };
        return `${profile_id} ${observed_at} ${followers}`;
      });
  };

  it('has one line per day, by profile and day, the later observation of each', async () => {
    const at = (hour: string) => `2026-01-31T${hour}:00:00.000Z`;
    // UTF-16 sorts the second before the first, bytes do not.
    const ids = ['\u{ff5e}', '\u{1f600}', 'a', 'b']
      .map((id) => `${id}-held`)
      .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const id of ids) {
      await service().load('profiles', observed(id, at('11'), 3), observed(id, at('10'), 2));
      await service().load('history', historyLine(id, '2026-01-30', 1), historyLine(id, '2026-02-01', 4));
    }
    await service().load('history', historyLine('c-stored', '2026-01-31', 5));
    const lines = await exported();
    const days = (id: string) => [
      `${id} 2026-01-30T23:59:59.999Z 1`,
      `${id} ${at('11')} 3`,
      `${id} 2026-02-01T23:59:59.999Z 4`,
    ];
    const [a = '', b = '', ...others] = ids;
    expect(lines).toEqual([...days(a), ...days(b), 'c-stored 2026-01-31T23:59:59.999Z 5', ...others.flatMap(days)]);
    await service().load('profiles', ...ids.map((id) => observed(id, at('12'), 6)));
    expect((await exported()).filter((line) => line.endsWith(' 6'))).toEqual(ids.map((id) => `${id} ${at('12')} 6`));
  });

  it('has all of more days and profiles than fit into a statement', async () => {
    const ids = Array.from({ length: 9000 }, (_, nth) => `page-${String(nth).padStart(5, '0')}`);
    await service().load('profiles', ...ids.map((id, nth) => observed(id, '2026-01-31T10:00:00.000Z', nth)));
    const early = ids.filter((_, nth) => nth < 5000);
    await service().load('profiles', ...early.map((id, nth) => observed(id, '2026-02-01T10:00:00.000Z', nth)));
    const expected = ids.flatMap((id, nth) => [
      `${id} 2026-01-31T10:00:00.000Z ${nth}`,
      ...(nth < 5000 ? [`${id} 2026-02-01T10:00:00.000Z ${nth}`] : []),
    ]);
    expect((await exported()).filter((line) => line.startsWith('page-'))).toEqual(expected);
  });
});
