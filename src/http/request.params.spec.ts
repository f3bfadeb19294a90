import type { AddressInfo } from 'node:net';
import { All, Controller, Get, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiRequest } from './api-request.js';
import { RequestContext } from './request-context.js';
import { RequestPath, CallingKey, CallingAllowance, ReceivedAt } from './request.params.js';

@Controller()
class Echo {
  @Get('key')
  key(@CallingKey() key: string) {
    return { key };
  }

  @Get('allowance')
  allowance(@CallingAllowance() allowance: unknown) {
    return { allowance };
  }

  @Get('time')
  time(@ReceivedAt() at: number) {
    return { at };
  }

  @All('*path')
  path(@RequestPath() path: string) {
    return { path };
  }
}

const RECEIVED_AT = Date.UTC(2027, 0, 1);

describe('what a handler can ask of its request', () => {
  let app: INestApplication;
  let asked: (path: string, prepare?: (request: ApiRequest) => void) => Promise<unknown>;

  beforeAll(async () => {
    let prepared: (request: ApiRequest) => void;
    app = (await Test.createTestingModule({ controllers: [Echo] }).compile()).createNestApplication({ logger: false });
    app.use((request: ApiRequest, _: unknown, next: () => void) => {
      request.context = new RequestContext(RECEIVED_AT);
      prepared(request);
      next();
    });
    app.useGlobalFilters({
      catch: (error: Error, host) => host.switchToHttp().getResponse().status(400).json({ error: error.message }),
    });
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    asked = async (path, prepare = () => undefined) => {
      prepared = prepare;
      return (await fetch(`http://127.0.0.1:${port}${path}`)).json();
    };
  });
  afterAll(() => app.close());

  it('the ID and the allowance of the key it came with', async () => {
    const allowance = { monthUnits: 5, monthCredits: null };
    const caller = { keyId: 'k1', rateLimit: 1, hiddenMembers: null, allowance, isTest: false };
    const withKey = ({ context }: ApiRequest) => (context.caller = caller);
    expect(await asked('/key', withKey)).toEqual({ key: 'k1' });
    expect(await asked('/allowance', withKey)).toEqual({ allowance });
  });

  it('no key where no guard has seen one: an endpoint without a guard is a mistake that shows', async () => {
    expect(await asked('/key')).toEqual({ error: 'this endpoint has no key guard before it' });
  });

  it('when it was received', async () => {
    expect(await asked('/time')).toEqual({ at: RECEIVED_AT });
  });

  it('its path, without the query', async () => {
    expect(await asked('/no/where?a=b')).toEqual({ path: '/no/where' });
  });
});
