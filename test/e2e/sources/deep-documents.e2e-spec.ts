import { describe, expect, it } from '@jest/globals';
import { toNdjson, normalize } from '../../support/sources/sources.js';

const good = JSON.stringify({
  plain: [{ kind: 'profile', platform: 'live_platform', id: '1', observedAt: null, known: { name: 'a' } }],
});

describe('native data', () => {
  it.each([65, 5_000, 100_000])(
    'rejects a document that is nested %d levels deep, however it is wrapped, and reads the rest',
    async (levels) => {
      const deep = `{"strange":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
      const wrapped = { url: 'https://a.example', body: deep };
      const airbyte = { _airbyte_data: deep, _airbyte_emitted_at: 0 };
      const { rejected, of } = await normalize({
        'a.ndjson': `${deep}\n[${deep},${good}]\n${toNdjson(wrapped, airbyte)}${good}`,
      });
      expect(rejected).toEqual(
        [1, 2, 3, 4].map((line) =>
          expect.objectContaining({ line, reason: expect.stringContaining('nested deeper than 64 levels') }),
        ),
      );
      expect(of('profiles')).toMatchObject([{ id: '1' }]);
    },
  );
});
