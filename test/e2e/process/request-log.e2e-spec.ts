import { describe, expect, it } from '@jest/globals';
import { runForJson } from '../../support/service/command.js';
import { createTestDatabase } from '../../support/stores/test-database.js';
import { httpRequest } from '../../support/http/request.js';
import { ServiceProcess } from '../../support/process/processes.js';

interface Line {
  readonly msg: string;
  readonly time: string;
  readonly request_id: string;
}

/** Requests a list and an unknown creator. @returns the IDs of the answers and the lines of the log */
async function logged(settings: Readonly<Record<string, string>>) {
  const database = await createTestDatabase('sqlite');
  try {
    await runForJson(database, 'migrate');
    const { id, key } = await runForJson(database, 'keys', 'create', '--name', 'x');
    const service = await ServiceProcess.start({ DATABASE_URL: database.url, LOG_LEVEL: 'info', ...settings });
    const ask = async (path: string) =>
      (await httpRequest(service.origin, path, { headers: { 'x-api-key': String(key) } })).headers['x-request-id'];
    const list = await ask('/platforms/live_platform/content?limit=7');
    const missing = await ask('/platforms/live_platform/profiles/secretly-wanted');
    await service.stop();
    const text = service.process.out;
    const lines = text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));
    return { list, missing, id, key: String(key), text, requests: lines.filter(({ msg }) => msg === 'request') };
  } finally {
    await database.drop();
  }
}

describe('LOG_REQUESTS', () => {
  it('off: writes no line for any request', async () => {
    expect((await logged({ LOG_REQUESTS: 'off' })).requests).toEqual([]);
  });

  it('default: errors, writes a line for each answer of 400 and above', async () => {
    const { requests, missing, id } = await logged({});
    expect(requests).toEqual([
      expect.objectContaining({
        level: 30,
        request_id: missing,
        key_id: id,
        operation: 'profiles.get',
        status: 404,
        duration_ms: expect.any(Number),
        quota_units: 1,
      }),
    ]);
  });

  it('all: writes a line for each answer, in the order of the answers', async () => {
    const { requests, list, missing } = await logged({ LOG_REQUESTS: 'all' });
    expect(requests.map(({ request_id }) => request_id)).toEqual([list, missing]);
  });

  it('writes times in ISO 8601', async () => {
    const before = Date.now();
    const { requests } = await logged({});
    const times = requests.map(({ time }) => time);
    expect(times.map((time) => new Date(time).toISOString())).toEqual(times);
    expect(times.filter((time) => Date.parse(time) >= before && Date.parse(time) <= Date.now())).toHaveLength(1);
  });

  it('writes no key, no address and no path', async () => {
    const { requests, key, text } = await logged({ LOG_REQUESTS: 'all' });
    expect(text).not.toContain(key);
    expect(JSON.stringify(requests)).not.toMatch(/secretly-wanted|limit=7|127\.0\.0\.1/);
    expect(requests.flatMap((line) => Object.keys(line)).toSorted()).toEqual(
      [...Array(2)].flatMap(() => LINE).toSorted(),
    );
  });
});

const LINE = 'level time pid hostname msg request_id key_id operation status duration_ms quota_units'.split(' ');
