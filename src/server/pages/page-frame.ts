import type { OpenAPIObject } from '@nestjs/swagger';
import { version } from '../../model/version.js';
import { escapeHtml, fillTemplate, readPageFile } from './page-files.js';

interface PageLink {
  /** Relative to the root of the service. */
  readonly path: string;
  readonly text: string;
}

/** Pages for people, in the order of the navigation. The name of the service links to the first page. */
const PAGES: readonly PageLink[] = [
  { path: 'docs', text: 'API reference' },
  { path: 'guide', text: 'Guide' },
  { path: 'docs/errors', text: 'Errors' },
  { path: 'status', text: 'Status' },
];

/** Descriptions of the API for programs. */
const DESCRIPTIONS: readonly PageLink[] = [
  { path: 'openapi.json', text: 'OpenAPI' },
  { path: 'postman.json', text: 'Postman' },
  { path: 'llms.txt', text: 'llms.txt' },
];

interface PageAddress {
  /** Path of the page, relative to the root of the service. */
  readonly path: string;
  /** Relative path from the page to the root, such as `../`. */
  readonly root: string;
}

/** Renders a page of `assets/` with the head, the header and the footer that all pages share. @param values of the page's own names */
export function renderPage(
  name: string,
  { info }: OpenAPIObject,
  { path, root }: PageAddress,
  values: Readonly<Record<string, string>> = {},
): string {
  const title = escapeHtml(info.title);
  const renderLinks = (links: readonly PageLink[]) => links.map((link) => renderLink(link, { path, root })).join('\n');
  const head = `<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<link rel="icon" href="${root}icon.svg" type="image/svg+xml" />
<link rel="stylesheet" href="${root}page.css" />`;
  const header = `<header class="top">
  <a class="name" href="${root}./"><img src="${root}icon.svg" alt="" width="24" height="24" />${title}</a>
  <nav aria-label="Pages">${renderLinks(PAGES)}</nav>
</header>`;
  const footer = `<footer>
  ${renderLinks(DESCRIPTIONS)}
  <span class="quiet">API ${escapeHtml(info.version)}, release ${escapeHtml(version())}</span>
</footer>`;
  return fillTemplate(readPageFile(name), { title, root, head, header, footer, ...values });
}

function renderLink({ path, text }: PageLink, page: PageAddress): string {
  return `<a href="${page.root}${path}"${path === page.path ? ' aria-current="page"' : ''}>${text}</a>`;
}
