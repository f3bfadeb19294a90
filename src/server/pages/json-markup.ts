import { escapeHtml } from './page-files.js';

/** Renders a JSON value, indented, with names, strings and other scalars marked. Its text is the JSON itself. */
export function renderJson(value: unknown, indent = ''): string {
  if (typeof value === 'string') return mark('string', value);
  if (typeof value !== 'object' || value === null) return mark('literal', value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${inner}${isList ? '' : `${mark('name', name)}: `}${renderJson(member, inner)}`,
  );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  return members.length === 0 ? `${open}${close}` : `${open}\n${members.join(',\n')}\n${indent}${close}`;
}

const mark = (kind: string, scalar: unknown): string =>
  `<span class="json-${kind}">${escapeHtml(JSON.stringify(scalar))}</span>`;
