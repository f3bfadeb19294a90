import type { OpenAPIObject } from '@nestjs/swagger';
import { errorRule, ERRORS_PATH, listErrorCodes, type ErrorCode } from '../../http/errors/error-codes.js';
import { createSecurityHeaders, escapeHtml, type PageFile } from './page-files.js';
import { renderPage } from './page-frame.js';

/** Creates the page that explains every error code. `documentation_url` of an error names a row of it. */
export function createErrorsPage(document: OpenAPIObject): PageFile {
  const content = renderPage(
    'errors.html',
    document,
    { path: 'docs/errors', root: '../' },
    {
      codes: listErrorCodes(true).map(renderRow).join('\n'),
    },
  );
  return { path: ERRORS_PATH, name: 'errors.html', content, protect: createSecurityHeaders() };
}

function renderRow(code: ErrorCode): string {
  const { status, meaning, hint, only } = errorRule(code);
  const where = only === 'mcp' ? ' Only at <code>/mcp</code>.' : '';
  // Allow line breaks between the parts of a path, and between the words of a code.
  const advice = hint === undefined ? '' : ` ${escapeHtml(hint).replaceAll('/', '/<wbr>')}`;
  const text = `${renderSentence(meaning)}${where}${advice}`;
  const name = code.replaceAll('_', '_<wbr>');
  return `<tr id="${code}"><th scope="row"><code>${name}</code></th><td data-label="Status">${status}</td><td>${text}</td></tr>`;
}

/** Renders a meaning, of whose CommonMark only code spans are used. */
const renderSentence = (meaning: string): string =>
  `${escapeHtml(meaning.charAt(0).toUpperCase() + meaning.slice(1)).replaceAll(/`([^`]+)`/g, '<code>$1</code>')}.`;
