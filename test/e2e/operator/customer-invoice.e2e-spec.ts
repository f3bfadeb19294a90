import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { uniqueId } from '../../support/records/builders.js';
import { runInProcess } from '../../support/service/command.js';
import { runBuiltCommand } from '../../support/process/processes.js';
import { describeService } from '../../support/service/test-service.js';
import { flushUsage } from '../../support/service/usage.js';

const MONTH = '2013-05';

describeService('the invoice of a customer with several keys', (service) => {
  afterEach(() => service().clock.reset());

  const customer = `Acme ${uniqueId()}`;
  const out = () => join(service().testDatabase.folder, `out-${uniqueId()}`);
  const invoice = (...args: string[]) =>
    runBuiltCommand(['usage', 'invoice', '--month', MONTH, '--out', out(), ...args], {
      DATABASE_URL: service().testDatabase.url,
      DATA_DIR: service().testDatabase.folder,
    });
  const numberIn = (page: string) => /2013-05-[0-9A-F]{10}/.exec(readFileSync(page, 'utf8'))?.[0];

  it('has all keys, and the number that it has in the bill of all; that of one key says that it is a part', async () => {
    const keys = [await service().newKey(1000), await service().newKey(1000)];
    for (const { id } of keys) await runInProcess(service().testDatabase, 'keys', 'customer', id, customer);
    service().clock.stopAt(Date.parse(`${MONTH}-10T12:00:00Z`));
    for (const { key } of keys) await service().request('/usage', { headers: { 'x-api-key': key } });
    service().clock.reset();
    await flushUsage(service());
    const prices = join(service().testDatabase.folder, 'prices.json');
    writeFileSync(prices, JSON.stringify({ currency: 'EUR', rates: { request: '1' } }));

    const whole = JSON.parse((await invoice('--prices', prices, '--json')).out);
    const own = JSON.parse((await invoice('--prices', prices, '--customer', customer, '--json')).out);
    expect([own.customers, own.totals]).toMatchObject([1, { requests: 2, net: '2.00' }]);
    expect(own.files[0]).toMatch(/invoice-2013-05-[0-9A-F]{10}\.csv$/);
    expect(numberIn(own.files[1])).toBe(numberIn(whole.files[1]));

    const { status, err } = await invoice('--prices', prices, '--key', keys[0]?.id ?? '');
    const note = `Note: "${customer}" has 1 other key: --customer "${customer}" writes one invoice of all.\n`;
    const free = 'Note: the price "request" is charged for every recorded request, also for those without units, ';
    expect([status, err]).toEqual([0, `${note}${free}such as 304, 402 and 503.\n`]);
  });

  it('is rejected for an unknown customer', async () => {
    expect(await invoice('--customer', 'nobody')).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^there is no customer "nobody" with a key that is billed/),
    });
  });
});
