import { FORCED_ANSWERS } from '../../http/forced-answer.js';
import { PLATFORMS } from '../../model/platforms.js';

/** Introduction of the OpenAPI document, in CommonMark. */
export const INTRODUCTION = `Content creators, their content, games, AI-made analysis and social links, in one shape for
${PLATFORMS.map((platform) => `\`${platform}\``).join(', ')}. Read-only.

- **Key.** Every request carries it in the header \`x-api-key\`.
- **Answers** are JSON: what you asked for is \`payload\`, what there is to say about it \`meta\`. New
  members may be added at any time: ignore what you do not know.
- **Lists** are read page by page: pass \`paging.next_cursor\` as \`cursor\`, or follow \`Link: rel="next"\`, until there is
  none.
- **Errors** have \`error\` in place of \`payload\`. Programs decide by \`error.code\`; \`error.message\` and \`error.hint\`
  are for people. [Every code](/docs/errors) is explained. After 429 and 503, wait for the seconds of
  \`Retry-After\`; do not repeat the others unchanged.
- **Cost** is in every answer: \`X-Quota-Units\` for what a valid request asks for, also if it gets a 404, and \`X-Credits\`
  for the data that comes back. Other errors, and a 304 to an \`ETag\`, are free. What is left of your minute is in
  \`X-RateLimit-minute-remaining\`.
- **Unchanged?** Send the \`ETag\` of an answer as \`If-None-Match\`: a 304 has no body and costs nothing.
  With \`If-None-Match: *\` it costs what \`HEAD\` does: the units.
- **Test keys** begin with \`cdk_test_\`. They are answered from sample data, with the same checks and costs, and
  \`X-Test-Mode: true\`. With the header \`X-Test-Answer\` they get an answer that is hard to cause:
  ${FORCED_ANSWERS.map((name) => `\`${name}\``).join(', ')}.
- \`meta.request_id\` of an error, and \`X-Request-Id\` of every answer, name the request when you ask about it.
`;

export const SECURITY_TEXT =
  'The API key that you got from whoever runs this service, it begins with `cdk_`. It goes into the header ' +
  '`x-api-key` of every request: without it the answer is 401, with a wrong one 403. Keep it out of web pages and addresses.';
