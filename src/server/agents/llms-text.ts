import type { ApiDescription, DescribedOperation } from './api-description.js';
import { describePrice } from './price-text.js';

/** Renders the service as plain text in the format of llmstxt.org, from the OpenAPI document and the prices. */
export function renderLlmsText(description: ApiDescription): string {
  const { title, description: introduction = '' } = description.document.info;
  // The format has a summary of one paragraph, and then whatever else is to say.
  const [summary = '', ...rules] = introduction.trim().split('\n\n');
  const operations = description.operations();
  const sections = [...new Set(operations.map(({ tag }) => tag))].map((tag) =>
    [`## ${tag}`, '', ...operations.filter((operation) => operation.tag === tag).map(renderLine)].join('\n'),
  );
  const head = [`# ${title}`, `> ${summary.replaceAll('\n', ' ')}`, `${rules.join('\n\n')}\n${AGENTS}`];
  return `${[...head, ...sections, LINKS].join('\n\n')}\n`;
}

/** Continues the list of the introduction. */
const AGENTS = `- **Agents** have an MCP server at \`/mcp\` (streamable HTTP, the same key). Each operation is a tool; \`X-Max-Credits\` with
  \`initialize\` sets how many credits the session may spend.`;

const LINKS = `## Links

- [OpenAPI document](/openapi.json): every parameter and every answer
- [Documentation page](/docs): the same, to read and to try
- [Errors](/docs/errors): every error code
- [Guide](/guide): the first request, lists, limits and costs, step by step
- [Status](/status): the same as health, as a page for people
- [Health](/health): whether requests can be served; no key`;

function renderLine({ method, path, operation, summary, parameters, body }: DescribedOperation): string {
  const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const takes = [
    ...(query.length > 0 ? [`Parameters: ${query.join(', ')}.`] : []),
    ...(body === null ? [] : [`JSON body: ${Object.keys(body.properties).join(', ')}.`]),
  ];
  return [`- \`${method} ${path}\` (${operation}): ${summary}.`, ...takes, `Price: ${describePrice(operation)}.`].join(
    ' ',
  );
}
