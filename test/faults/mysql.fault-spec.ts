import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection } from 'mysql2/promise';
import { runForJson } from '../support/service/command.js';
import { TcpProxy } from '../support/stores/tcp-proxy.js';
import { runDrill, ENDS, NO_FAILURES, type Fault } from './support/drill.js';
import { OwnMariadb } from './support/own-mariadb.js';

const TIMEOUT_MS = 120_000;

describe('a service whose database server', () => {
  let server: OwnMariadb;
  let proxy: TcpProxy;
  let url: string;
  let holder: Connection | null = null;
  beforeAll(async () => {
    server = await OwnMariadb.start();
    proxy = await TcpProxy.to(server.url, 3306);
    ({ url } = server);
    await runForJson({ url }, 'migrate');
  }, TIMEOUT_MS);
  afterAll(async () => {
    await proxy.close();
    await server.remove();
  }, TIMEOUT_MS);

  const faults: Fault[] = [
    { name: 'is stopped', begin: () => server.stop(), end: () => server.run() },
    { name: 'is killed', begin: () => server.stop('SIGKILL'), end: () => server.run() },
    { name: 'is paused', begin: () => server.pause(), end: () => server.resume() },
    { name: 'cannot be reached', begin: () => proxy.cut(), end: () => proxy.restore() },
    { name: 'does not answer any more', begin: () => proxy.hang(), end: () => proxy.restore() },
    {
      name: 'is read-only',
      begin: () => server.sql('SET GLOBAL read_only = 1'),
      end: () => server.sql('SET GLOBAL read_only = 0'),
    },
    {
      name: 'has no connection left',
      begin: async () => {
        await server.sql("ALTER USER drill@'127.0.0.1' WITH MAX_USER_CONNECTIONS 1");
        await server.disconnectAll();
        holder = await server.session('drill');
      },
      end: async () => {
        holder?.destroy();
        await server.sql("ALTER USER drill@'127.0.0.1' WITH MAX_USER_CONNECTIONS 0");
      },
    },
    {
      name: 'has the usage table locked',
      begin: async () => {
        holder = await server.session();
        await holder.query('LOCK TABLES drill.usage_journal WRITE');
      },
      end: () => holder?.destroy(),
    },
  ];

  const ground = () => ({ url, settings: { DATABASE_URL: proxy.urlOf(url) } });

  it.each(faults)(
    '$name: answers within 5 s, reports it, recovers, and bills every answer',
    async (fault) => {
      expect(await runDrill(ground(), fault)).toEqual(NO_FAILURES);
    },
    TIMEOUT_MS,
  );

  describe.each(ENDS)('while the service is %s', (_how, kill) => {
    it.each(faults)(
      '$name: bills every answer',
      async (fault) => {
        expect(await runDrill(ground(), { ...fault, kill })).toEqual(NO_FAILURES);
      },
      TIMEOUT_MS,
    );
  });

  it(
    'is slow: bills every answer',
    async () => {
      const fault: Fault = {
        name: 'is slow',
        begin: () => proxy.slow(300),
        end: () => proxy.slow(0),
        canStoreRecords: true,
      };
      expect(await runDrill(ground(), fault)).toEqual(NO_FAILURES);
    },
    TIMEOUT_MS,
  );

  it(
    'cuts connections again and again: bills every answer',
    async () => {
      let timer: NodeJS.Timeout;
      const begin = () => void (timer = setInterval(() => void server.disconnectAll(), 200));
      const fault: Fault = {
        name: 'cuts connections again and again',
        begin,
        end: () => clearInterval(timer),
        canStoreRecords: true,
      };
      expect(await runDrill(ground(), fault)).toEqual(NO_FAILURES);
    },
    TIMEOUT_MS,
  );
});
