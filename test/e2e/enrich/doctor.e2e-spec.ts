import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ChatServer } from '../../support/enrich/chat-server.js';
import { enrichAnalysis, runWithSettings } from '../../support/enrich/enrich-command.js';
import { removeEverything } from '../../support/enrich/remove-everything.js';
import { aProfile } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';

describeService('doctor and enriching', (service) => {
  let chat: ChatServer;
  beforeAll(async () => {
    chat = await ChatServer.start();
  });
  afterAll(() => chat.stop());

  const checksOf = async (settings: Record<string, string>) => {
    const { out } = await runWithSettings(service(), settings, 'doctor', '--json');
    const { checks } = JSON.parse(out) as { checks: { name: string; state: string; message: string }[] };
    return checks.filter(({ name }) => name === 'enriching');
  };
  const examine = async (settings: Record<string, string>) => (await checksOf(settings)).at(-1);

  it('reports whether the endpoint answers, and rejects wrong settings', async () => {
    chat.behave = () => ({ status: 404 });
    expect(await examine(chat.settings)).toMatchObject({ state: 'good', message: expect.stringContaining(chat.host) });
    chat.behave = () => ({ status: 401, body: { error: { message: 'sk-secret-of-the-test is wrong' } } });
    const rejected = await examine(chat.settings);
    expect(rejected).toMatchObject({ state: 'bad', message: expect.stringContaining('ENRICH_API_KEY') });
    expect(rejected?.message).not.toContain('sk-secret');
    expect(await examine({ ...chat.settings, ENRICH_MODEL: '' })).toMatchObject({ state: 'bad' });
  });

  it('reports a run that did not end, until the next one continues it', async () => {
    await removeEverything(service());
    await service().load('profiles', aProfile());
    chat.behave = () => ({ status: 401 });
    await enrichAnalysis(service(), chat.settings);
    const [interrupted] = await checksOf({});
    expect(interrupted).toMatchObject({ state: 'warning', message: expect.stringContaining('did not end') });
    chat.reset();
    await enrichAnalysis(service(), chat.settings);
    expect((await checksOf({})).map(({ state }) => state)).toEqual(['good']);
  });
});
