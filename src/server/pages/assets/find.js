// The search for creators with the visitor's key.
import { readKey } from './key.js';
import { languageName, readLanguages } from './languages.js';

const byId = (id) => document.getElementById(id);
const number = (value) => Number(value).toLocaleString('en');
const counted = (count, noun) => `${number(count)} ${noun}${Number(count) === 1 ? '' : 's'}`;

const PROBLEMS = {
  401: 'Give a key first, above.',
  402: 'The month of this key has not enough left for a search.',
  403: 'This key is not valid.',
  429: 'The limit of this minute is reached. Try again in a moment.',
  503: 'Search is not available right now. Try again in a moment.',
};

/** Body of the shown results without a cursor, for the next page. */
let shown = null;
let cursor = null;
/** What the shown results cost. */
let [units, credits] = [0, 0];

function readBody(languages) {
  const [text, min, max] = ['find-text', 'find-min', 'find-max'].map((id) => byId(id).value.trim());
  const followers = { ...(min === '' ? {} : { min: Number(min) }), ...(max === '' ? {} : { max: Number(max) }) };
  const filters = {
    ...(Object.keys(followers).length === 0 ? {} : { followers }),
    ...(languages.length === 0 ? {} : { language: languages }),
    ...(byId('find-email').checked ? { has: ['email'] } : {}),
  };
  return {
    ...(text === '' ? {} : { text }),
    ...(Object.keys(filters).length === 0 ? {} : { filters }),
    sort: byId('find-sort').value,
    count: true,
  };
}

function showStatus(text, isBad = false) {
  byId('find-status').textContent = text;
  byId('find-status').classList.toggle('bad', isBad);
}

function addText(parent, kind, text, name = '') {
  const element = document.createElement(kind);
  element.textContent = text;
  if (name !== '') element.className = name;
  parent.append(element);
}

function createPicture(address, name) {
  const picture = document.createElement('span');
  picture.className = 'picture';
  // The name beside it says the same.
  picture.setAttribute('aria-hidden', 'true');
  picture.textContent = (name.match(/[\p{L}\p{N}]/u) ?? ['?'])[0].toUpperCase();
  if (address === null || !address.startsWith('https://')) return picture;
  const image = document.createElement('img');
  image.alt = '';
  image.loading = 'lazy';
  image.referrerPolicy = 'no-referrer';
  image.addEventListener('error', () => image.remove());
  image.src = address;
  picture.append(image);
  return picture;
}

/** Imports accept any text as a URL, also a script. */
function createTitle(title, url) {
  const element = document.createElement('strong');
  if (!url?.startsWith('https://')) {
    element.textContent = title;
    return element;
  }
  const link = document.createElement('a');
  link.href = url;
  link.rel = 'noopener noreferrer';
  link.textContent = title;
  element.append(link);
  return element;
}

function createResult({ id, name, display_name, url, profile_image, language, statistics }) {
  const item = document.createElement('li');
  item.tabIndex = -1;
  const title = display_name ?? name ?? id;
  const words = document.createElement('div');
  words.append(createTitle(title, url));
  addText(words, 'span', name === null ? `ID ${id}` : `@${name}`, 'quiet');
  const facts = [
    statistics.followers === null ? 'followers unknown' : counted(statistics.followers, 'follower'),
    ...(language === null ? [] : [languageName(language)]),
  ];
  addText(words, 'span', facts.join(' · '));
  item.append(createPicture(profile_image, title), words);
  return item;
}

async function request(platform, body) {
  return fetch(new URL(`platforms/${platform}/profiles/search`, import.meta.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': readKey() },
    body: JSON.stringify(body),
    cache: 'no-store',
    credentials: 'omit',
  });
}

function showPage(response, { payload, paging, meta }) {
  const results = byId('find-results');
  results.append(...payload.map(createResult));
  cursor = paging.next_cursor;
  byId('find-more').hidden = cursor === null;
  units += Number(response.headers.get('x-quota-units'));
  credits += Number(response.headers.get('x-credits'));
  const cost = `${counted(units, 'unit')} and ${counted(credits, 'credit')}`;
  const shownText = `${counted(meta.count.value, 'creator')} found, ${number(results.children.length)} shown`;
  showStatus(`${meta.count.value === 0 ? 'No creator found' : shownText}. This search cost ${cost}.`);
}

async function search(isNext) {
  if (readKey() === '') {
    showStatus(PROBLEMS[401], true);
    byId('key').focus();
    return;
  }
  if (!isNext) {
    byId('find-results').replaceChildren();
    byId('find-more').hidden = true;
    [units, credits] = [0, 0];
    const languages = readLanguages(byId('find-language').value);
    if (languages.unknown.length > 0) {
      showStatus(
        `Unknown language: ${languages.unknown.join(', ')}. Give names such as German, or codes such as de.`,
        true,
      );
      byId('find-language').focus();
      return;
    }
    shown = { platform: byId('find-platform').value, body: readBody(languages.codes) };
  }
  showStatus('Searching…');
  const places = byId('find-results').children.length;
  try {
    const response = await request(shown.platform, { ...shown.body, ...(isNext ? { cursor } : {}) });
    const answer = await response.json();
    if (!response.ok) showStatus(PROBLEMS[response.status] ?? answer.error.message, true);
    else {
      showPage(response, answer);
      // The button may be gone, and the next creators begin here.
      if (isNext) byId('find-results').children[places]?.focus();
    }
  } catch {
    showStatus('The service could not be asked. Is there a connection?', true);
  }
}

byId('find-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void search(false);
});
byId('find-more').addEventListener('click', () => void search(true));
