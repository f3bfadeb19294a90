import type { OpenAPIObject } from '@nestjs/swagger';
import { ERRORS_PATH } from '../../http/errors/error-codes.js';
import { escapeHtml } from './page-files.js';

interface DescribedAnswer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: {
    readonly 'application/json'?: { readonly example?: { readonly error?: { readonly code: string } } };
  };
}

const REFERENCE = '#/components/responses/';

/** Renders the table rows of the answers that endpoints share, by status. @param root relative path to the root */
export function renderSharedAnswers({ paths, components }: OpenAPIObject, root: string): string {
  const shared = (components?.responses ?? {}) as Record<string, DescribedAnswer>;
  const rows = new Map<string, string>();
  for (const [status, answer] of listAnswers(paths)) {
    if (!('$ref' in answer)) continue;
    const { description = '', content } = shared[answer.$ref.slice(REFERENCE.length)] ?? {};
    const code = content?.['application/json']?.example?.error?.code;
    const link = code === undefined ? '' : ` <a href="${root}${ERRORS_PATH.slice(1)}#${code}"><code>${code}</code></a>`;
    rows.set(status, `<tr><th scope="row">${status}</th><td>${renderText(description)}${link}</td></tr>`);
  }
  return [...rows]
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, row]) => row)
    .join('\n');
}

/** Renders the table rows of all response headers, each with the statuses that have it. */
export function renderHeaders({ paths, components }: OpenAPIObject): string {
  const shared = (components?.responses ?? {}) as Record<string, DescribedAnswer>;
  const statusesOf = new Map<string, Set<string>>();
  const all = new Set<string>();
  for (const [status, answer] of listAnswers(paths)) {
    all.add(status);
    const { headers = {} } = '$ref' in answer ? (shared[answer.$ref.slice(REFERENCE.length)] ?? {}) : answer;
    for (const name of Object.keys(headers)) statusesOf.set(name, (statusesOf.get(name) ?? new Set()).add(status));
  }
  return Object.entries((components?.headers ?? {}) as Record<string, DescribedAnswer>)
    .map(([name, { description }]) => {
      const where = renderStatuses(statusesOf.get(name) ?? new Set(), all);
      return `<tr><th scope="row"><code>${name}</code></th><td>${renderText(description)}.</td><td data-label="Statuses">${where}</td></tr>`;
    })
    .join('\n');
}

const listAnswers = (paths: OpenAPIObject['paths']) =>
  Object.values(paths)
    .flatMap(({ get, post }) => [get, post])
    .flatMap(
      (operation) => Object.entries(operation?.responses ?? {}) as [string, DescribedAnswer | { $ref: string }][],
    );

/** Lists the statuses, or those that are missing, whichever are fewer. */
function renderStatuses(statuses: ReadonlySet<string>, all: ReadonlySet<string>): string {
  const missing = [...all].filter((status) => !statuses.has(status));
  if (missing.length === 0) return 'all';
  const names = statuses.size > missing.length ? missing : [...statuses];
  return `${names === missing ? 'all but ' : ''}${names.sort().join(', ')}`;
}

/** Renders a description, of whose CommonMark only code spans are used. */
const renderText = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
