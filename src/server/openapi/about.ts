/** The document's introduction. */
export const ABOUT = `Looks up content creators, their content, games, analysis and social links on five platforms. It only reads.

**Answers** are JSON with \`payload\` and \`meta\`, lists also with \`paging\`; errors have \`error\` and \`meta\`. New members may
be added at any time: ignore what you do not know.

**Pages.** Send \`paging.next_cursor\` as \`cursor\`, with the same \`sort\` and \`order\`, until it is null. Cursors do not expire.

**Limits and cost.** Each key has a number of requests a minute; \`X-RateLimit-minute-*\` tell what is left of them, and a 429
when to go on. \`X-Quota-Units\` and \`X-Credits\` tell what a request cost. Quota units are charged for what a valid request asks
for, also if the answer is a 404; credits for the data that comes back. Other errors, and 304, are free.

**Caching.** Answers to GET carry an \`ETag\`; sent back in \`If-None-Match\` it makes a 304 of data that has not changed. HEAD is
answered like GET, without the body, at the same price.`;

/** What the key is, and how to send it. */
export const SECURITY_TEXT =
  'The API key that you got from whoever runs this service, it begins with `cdk_`. It goes into the header ' +
  '`x-api-key` of every request: without it the answer is 401, with a wrong one 403. Keep it out of web pages and addresses.';
