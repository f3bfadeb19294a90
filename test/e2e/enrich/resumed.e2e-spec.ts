import { expect, it } from '@jest/globals';
import { anAnswer } from '../../support/enrich/answers.js';
import { USAGE } from '../../support/enrich/chat-server.js';
import { enrichAnalysis } from '../../support/enrich/enrich-command.js';
import { loadCreator, useChatServer } from '../../support/enrich/use-chat-server.js';
import { describeService } from '../../support/service/test-service.js';

const COST = (USAGE.prompt_tokens + USAGE.completion_tokens) / 1e6;

describeService('enrich analysis, continuing a run that did not end', (service) => {
  const chat = useChatServer(service);
  const enrich = (...args: readonly string[]) =>
    enrichAnalysis(service(), chat().settings, '--concurrency', '1', ...args);
  const enrichWithoutPrices = () => {
    const settings = { ...chat().settings, ENRICH_INPUT_PRICE: '', ENRICH_OUTPUT_PRICE: '' };
    return enrichAnalysis(service(), settings, '--concurrency', '1', '--max-tokens', '10000000');
  };

  it('does not pay again for what the run itself rejected, but for what earlier runs rejected', async () => {
    const ids = [await loadCreator(service()), await loadCreator(service())].toSorted();
    chat().behave = ({ data }) => (data.profile.id === ids[0] ? { content: 'no' } : { status: 401 });
    expect((await enrich('--retry-rejected')).status).toBe(1);
    expect(chat().requests).toHaveLength(3);
    chat().reset();
    expect((await enrich('--retry-rejected')).report).toMatchObject({ made: 1, rejected_before: 1 });
    expect(chat().requests).toHaveLength(1);
    expect((await enrich('--retry-rejected')).report).toMatchObject({ made: 1 });
  });

  it('charges what was spent while there were no prices, beside what was spent with prices', async () => {
    for (let count = 0; count < 3; count += 1) await loadCreator(service());
    // One answer to each of the first two runs, which then stop.
    chat().behave = ({ data }, index) => (index % 2 === 1 && index < 4 ? { status: 401 } : { content: anAnswer(data) });
    expect((await enrich()).status).toBe(1);
    expect((await enrichWithoutPrices()).status).toBe(1);
    const { report } = await enrich();
    expect(report.made).toBe(1);
    expect(report.cost).toBeCloseTo(3 * COST, 9);
  });

  it('settles an answer whose birthday has an impossible month, and goes on', async () => {
    await loadCreator(service(), { description: 'I was born 3 July 1997' });
    const birthday = { birthday_day: 3, birthday_month: 19_970_703, birthday_year: 1997 };
    const evidence = [{ member: 'birthday' as const, quote: 'born 3 July 1997' }];
    chat().behave = ({ data }) => ({ content: anAnswer(data, { birthday, evidence }) });
    const { status, report } = await enrich();
    expect([status, report]).toEqual([2, expect.objectContaining({ rejected: 1, cost: 2 * COST })]);
  });
});
