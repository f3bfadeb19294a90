import { escapeHtml } from './page-files.js';

/** Tokens of indented JSON: a member's name with its colon, a string, or another scalar. */
const TOKENS = /("(?:[^"\\]|\\.)*")(:?)|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;

/** Renders a value as indented JSON with names, strings and other scalars marked. Its text is the JSON itself. */
export function renderJson(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  let html = '';
  let end = 0;
  for (const match of json.matchAll(TOKENS)) {
    const [token, text, colon = ''] = match;
    html += escapeHtml(json.slice(end, match.index));
    if (text === undefined) html += mark('literal', token);
    else html += colon === '' ? mark('string', text) : `${mark('name', text)}:`;
    end = match.index + token.length;
  }
  return html + escapeHtml(json.slice(end));
}

const mark = (kind: string, text: string): string => `<span class="json-${kind}">${escapeHtml(text)}</span>`;
