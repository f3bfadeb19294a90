import { Marked, type Tokens } from 'marked';

/** Addresses of this service that the guide names. */
const PAGES: readonly string[] = ['/docs', '/docs/errors', '/openapi.json', '/postman.json', '/llms.txt'];

/** Names of the languages of code. */
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
};

const renderCode = (text: string, language: string): string =>
  `<div class="block"><span class="language" aria-hidden="true">${language}</span>` +
  `<pre class="command" aria-label="${language}" tabindex="0"><code data-example>${escapeText(text)}</code></pre></div>\n`;

/** Renders the guide as the content of its page: sections with anchors, and their list. */
export function renderGuide(markdown: string): string {
  const sections: string[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const content = this.parser.parseInline(tokens);
        if (depth !== 2) return `<h${depth}>${content}</h${depth}>\n`;
        const id = text.toLowerCase().replaceAll(/\W+/g, '-');
        sections.push(`<li><a href="#${id}">${content}</a></li>`);
        return `<h2 id="${id}">${content}</h2>\n`;
      },
      // The service serves no other file of the repository.
      link: ({ href, text }) => (href.startsWith('#') ? `<a href="${href}">${text}</a>` : text),
      codespan: ({ text }) =>
        PAGES.includes(text)
          ? `<a href="${text.slice(1)}"><code>${text}</code></a>`
          : `<code>${escapeText(text)}</code>`,
      code: ({ text, lang }) =>
        lang === 'text'
          ? `<pre class="output" aria-label="Output" tabindex="0"><code>${escapeText(text)}</code></pre>\n`
          : renderCode(text, LANGUAGES[lang ?? ''] ?? 'Command'),
      table({ header, rows }: Tokens.Table) {
        const cell = ({ tokens }: Tokens.TableCell) => `<td>${this.parser.parseInline(tokens)}</td>`;
        const head = header.map(({ text }) => `<th scope="col">${escapeText(text)}</th>`).join('');
        const body = rows.map((row) => `<tr>${row.map((each) => cell(each)).join('')}</tr>`).join('\n');
        return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}\n</tbody>\n</table>\n`;
      },
    },
  });
  const content = marked.parse(markdown, { async: false });
  const contents = `<nav class="contents" aria-label="Sections"><ol>\n${sections.join('\n')}\n</ol></nav>`;
  return `${contents}\n<article>\n${content}</article>\n`;
}

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
