import { expect, it } from '@jest/globals';
import { loadSampleData, SAMPLE_DATA, sampleNow } from '../../support/records/sample-data.js';
import { describeService } from '../../support/service/test-service.js';

const NO_KEY = { 'x-api-key': '' };
const REQUEST =
  /<details name="request" data-operation="([^"]+)".*?'https:\/\/HOST([^']+)'.*?<pre class="response"[^>]*><code>(.*?)<\/code>/gs;

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

describeService('the sample creator at /', (service) => {
  const shown = async () =>
    Array.from((await service().get('/', NO_KEY)).text.matchAll(REQUEST), ([, operation, path = '', html = '']) => ({
      operation,
      path,
      answer: JSON.parse(textOf(html)) as object,
    }));

  it('is shown with numbers, audience and game where its data is not loaded', async () => {
    const { text } = await service().get('/', NO_KEY);
    const card = textOf(/<article class="card creator".*?<\/article>/s.exec(text)?.[0] ?? '');
    const profile = SAMPLE_DATA.profiles[0];
    const audience = SAMPLE_DATA.audience[0]?.audience;
    expect(card).toContain(profile?.display_name);
    expect(card).toContain(profile?.statistics.followers?.toLocaleString('en'));
    for (const { value, percentage } of audience?.age_ranges ?? []) {
      expect(card).toContain(`${value.replace('-', '–')}${percentage.toFixed(1)}%`);
    }
    expect(card).toContain(SAMPLE_DATA.games[0]?.name);
  });

  it('has a picture that this service sends', async () => {
    const { text } = await service().get('/', NO_KEY);
    const pictures = Array.from(text.matchAll(/<img src="([^"]+)" alt="([^"]+)"/g), ([, address, name]) => [
      address,
      name,
    ]);
    expect(pictures).toEqual([['sample-creator.svg', 'Drawing of Lumen Vale']]);
    const { status, headers } = await service().get('/sample-creator.svg', NO_KEY);
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml']);
  });

  it('has requests whose answers, with the sample data, are those beside them', async () => {
    await loadSampleData(service());
    service().clock.stopAt(sampleNow());
    const requests = await shown();
    expect(requests.map(({ operation }) => operation)).toEqual([
      'profiles.get',
      'audience.get',
      'socials.get',
      'content.get',
      'games.get',
    ]);
    for (const { path, answer } of requests) {
      const { status, body } = await service().get(path);
      expect([path, status]).toEqual([path, 200]);
      if ('request_id' in body.meta) body.meta.request_id = (answer as typeof body).meta.request_id;
      expect(body).toEqual(answer);
    }
    service().clock.reset();
  });
});
