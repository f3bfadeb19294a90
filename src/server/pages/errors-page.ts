import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { errorRule, ERRORS_PATH, listErrorCodes, type ErrorCode } from '../../http/errors/error-codes.js';
import { createSecurityHeaders, escapeHtml, serveFile } from './page-files.js';
import { renderPage } from './page-frame.js';

/** Serves the page that explains every error code. `documentation_url` of an error names a row of it. @returns the path */
export function serveErrorsPage(app: NestExpressApplication, document: OpenAPIObject): string {
  const content = renderPage(
    'errors.html',
    document,
    { path: 'docs/errors', root: '../' },
    {
      codes: listErrorCodes(true).map(renderRow).join('\n'),
    },
  );
  // A regular expression, because the string would also match a trailing slash, which would break relative links.
  serveFile(app, /^\/docs\/errors$/i, { name: 'errors.html', content, protect: createSecurityHeaders() });
  return ERRORS_PATH;
}

function renderRow(code: ErrorCode): string {
  const { status, meaning, hint, only } = errorRule(code);
  const where = only === 'mcp' ? ' Only at <code>/mcp</code>.' : '';
  const text = `${renderSentence(meaning)}${where}${hint === undefined ? '' : ` ${escapeHtml(hint)}`}`;
  // Allow line breaks between the words of a code.
  const name = code.replaceAll('_', '_<wbr>');
  return `<tr id="${code}"><th scope="row"><code>${name}</code></th><td>${status}</td><td>${text}</td></tr>`;
}

/** Renders a meaning, of whose CommonMark only code spans are used. */
const renderSentence = (meaning: string): string =>
  `${escapeHtml(meaning.charAt(0).toUpperCase() + meaning.slice(1)).replaceAll(/`([^`]+)`/g, '<code>$1</code>')}.`;
