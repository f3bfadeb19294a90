// Examples on a page: they show this service's address and the key of this tab, and can be copied.
import { readKey } from './key.js';

const base = new URL('.', document.baseURI).href.replace(/\/$/, '');
const texts = new Map([...document.querySelectorAll('[data-example]')].map((code) => [code, code.textContent]));

/** Fills the address and the key into every example. */
export function fillExamples() {
  for (const [code, text] of texts) {
    code.textContent = text
      .replaceAll(/https:\/\/HOST|http:\/\/localhost:3000/g, base)
      .replaceAll('YOUR_KEY', readKey() || 'YOUR_KEY');
  }
}

/** Makes a button copy a text. Browsers allow it on HTTPS and localhost only; elsewhere the button is hidden. */
export function enableCopying(button, getText) {
  button.hidden = navigator.clipboard === undefined;
  button.addEventListener('click', () => {
    const setLabel = (text) => (button.textContent = text);
    navigator.clipboard.writeText(getText()).then(
      () => setLabel('Copied'),
      () => setLabel('The browser refused'),
    );
    setTimeout(() => setLabel('Copy'), 2000);
  });
}

/** Adds a button that copies to each block of code that a selector finds. */
export function addCopyButtons(selector) {
  for (const block of document.querySelectorAll(selector)) {
    const frame = document.createElement('div');
    frame.className = 'copyable';
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    block.replaceWith(frame);
    frame.append(block, button);
    enableCopying(button, () => block.textContent);
  }
}
