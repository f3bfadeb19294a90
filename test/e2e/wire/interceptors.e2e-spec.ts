import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aProfile } from '../../support/records/builders.js';
import type { RequestOptions } from '../../support/http/request.js';
import { describeService, type TestService } from '../../support/service/test-service.js';

const LIST = '/platforms/live_platform/profiles';

describeService('an application with a second interceptor', (service) => {
  const profile = aProfile();
  const path = `${LIST}/${profile.id}`;
  let other: TestService;
  let intercepted = 0;
  beforeAll(async () => {
    await service().load('profiles', profile);
    const doesNothing = {
      intercept(_execution: ExecutionContext, next: CallHandler) {
        intercepted += 1;
        return next.handle();
      },
    };
    other = await service().startSecond({}, [{ provide: APP_INTERCEPTOR, useValue: doesNothing }]);
  });
  afterAll(() => other.stop());

  it.each<[number, string, RequestOptions]>([
    [200, path, {}],
    [200, path, { method: 'HEAD' }],
    [304, path, { headers: { 'if-none-match': '*' } }],
    [200, `${LIST}?limit=1`, {}],
    [200, LIST, { method: 'POST', body: '{"profile_ids":["none"]}', headers: { 'content-type': 'application/json' } }],
    [404, `${LIST}/none`, {}],
    [200, '/health/live', {}],
  ])('answers as without it, through Observables: %s %s %j', async (status, asked, options) => {
    const before = intercepted;
    const answers = [];
    for (const asks of [service(), other]) {
      asks.clock.stopAt(Date.UTC(2027, 0, 1));
      const { key } = await asks.newKey(5);
      const answer = await asks.request(asked, { ...options, headers: { ...options.headers, 'x-api-key': key } });
      const { date: _now, 'x-request-id': id, ...headers } = answer.headers;
      answers.push({ status: answer.status, headers, text: answer.text.replace(String(id), 'its request ID') });
    }
    expect(answers[0]?.status).toBe(status);
    expect(answers[1]).toEqual(answers[0]);
    expect(intercepted - before).toBe(1);
  });
});
