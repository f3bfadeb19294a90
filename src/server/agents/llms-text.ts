import type { ApiDescription, DescribedOperation } from './api-description.js';
import { formatPrice } from './price-text.js';

/** Renders the service as plain text in the format of llmstxt.org, from the OpenAPI document and the prices. */
export function renderLlmsText(description: ApiDescription): string {
  const { info } = description.document;
  const operations = description.operations();
  const sections = [...new Set(operations.map(({ tag }) => tag))].map((tag) =>
    [`## ${tag}`, '', ...operations.filter((operation) => operation.tag === tag).map(renderLine)].join('\n'),
  );
  return `${[`# ${info.title}`, `> ${info.description}`, ABOUT, ...sections, LINKS].join('\n\n')}\n`;
}

const ABOUT = `Every request needs an API key, in the header \`x-api-key\`. Answers are JSON: \`payload\`, \`paging\` where a list
goes on (send \`paging.next_cursor\` as \`cursor\`), and \`meta\`. An error is \`error\` with \`status\`, \`message\` and \`code\`.

- What a request cost: headers \`X-Quota-Units\` and \`X-Credits\`. Credits are charged for data only.
  Errors cost nothing, but 404 costs its units.
- What is left of the minute: header \`X-RateLimit-minute-remaining\`; after 429 wait \`Retry-After\` seconds.
- For agents: an MCP server at \`/mcp\` (streamable HTTP, the same key). Each operation is a tool; \`X-Max-Credits\` with
  \`initialize\` sets how many credits the session may spend.`;

const LINKS = `## Links

- [OpenAPI document](/openapi.json): every parameter and every answer
- [Documentation page](/docs): the same, to read and to try
- [Errors](/docs/errors): every error code
- [Health](/health): whether requests can be served; no key`;

function renderLine({ method, path, operation, summary, parameters, body }: DescribedOperation): string {
  const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const takes = [
    ...(query.length > 0 ? [`Parameters: ${query.join(', ')}.`] : []),
    ...(body === null ? [] : [`JSON body: ${Object.keys(body.properties).join(', ')}.`]),
  ];
  return [`- \`${method} ${path}\` (${operation}): ${summary}.`, ...takes, `Price: ${formatPrice(operation)}.`].join(
    ' ',
  );
}
