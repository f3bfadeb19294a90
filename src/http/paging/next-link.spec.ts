import { describe, expect, it } from '@jest/globals';
import { formatNextLink } from './next-link.js';

describe('the link to the next page', () => {
  it.each([
    ['has the cursor alone where there was no query', '/list', '<?cursor=NEXT>; rel="next"'],
    ['keeps the query as it was sent', '/list?sort=a&limit=%33', '<?sort=a&limit=%33&cursor=NEXT>; rel="next"'],
    ['replaces the cursor, wherever it is', '/list?cursor=OLD&limit=3', '<?limit=3&cursor=NEXT>; rel="next"'],
    ['replaces a cursor whose name is encoded', '/list?limit=3&c%75rsor=OLD', '<?limit=3&cursor=NEXT>; rel="next"'],
    ['keeps other parameters that look like it', '/list?cursors=1', '<?cursors=1&cursor=NEXT>; rel="next"'],
    ['leaves empty parameters out', '/list?&limit=3&', '<?limit=3&cursor=NEXT>; rel="next"'],
    ['leaves a fragment out', '/list?limit=3#end', '<?limit=3&cursor=NEXT>; rel="next"'],
  ])('%s: %s', (_, url, expected) => {
    expect(formatNextLink(url, 'NEXT')).toBe(expected);
  });
});
