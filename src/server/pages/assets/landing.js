import { checkKey, keepKey, readKey } from './key.js';

const byId = (id) => document.getElementById(id);
const number = (value) => Number(value).toLocaleString('en');

/* Examples */

const base = new URL('.', document.baseURI).href.replace(/\/$/, '');
const panels = [...document.querySelectorAll('[role=tabpanel]')];
const tabs = [...document.querySelectorAll('[role=tab]')];
const texts = new Map(panels.map((panel) => [panel, panel.textContent]));

const typedKey = () => byId('key').value.trim();

function fillExamples() {
  for (const [panel, text] of texts) {
    const filled = text.replaceAll('https://HOST', base).replaceAll('YOUR_KEY', readKey() || 'YOUR_KEY');
    panel.firstElementChild.textContent = filled;
  }
}

function choose(chosen) {
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute('aria-selected', String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    byId(tab.getAttribute('aria-controls')).hidden = !isChosen;
  }
}

const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

function moveByKeys(event) {
  const from = tabs.indexOf(event.target);
  const targets = { Home: 0, End: tabs.length - 1 };
  const to = targets[event.key] ?? (from + (STEPS[event.key] ?? 0) + tabs.length) % tabs.length;
  if (to === from) return;
  event.preventDefault();
  choose(tabs[to]);
  tabs[to].focus();
}

function copy() {
  const setLabel = (text) => (byId('copy').textContent = text);
  navigator.clipboard.writeText(panels.find(({ hidden }) => !hidden).textContent).then(
    () => setLabel('Copied'),
    () => setLabel('The browser refused'),
  );
  setTimeout(() => setLabel('Copy'), 2000);
}

/* Limit and usage */

const PROBLEMS = {
  401: 'Give a key first.',
  403: 'This key is not valid: it is mistyped, or it was revoked.',
  429: 'The limit of this minute is reached.',
};

function showStatus(text, isBad) {
  byId('key-status').textContent = text;
  byId('key-status').classList.toggle('bad', isBad);
}

function describeProblem(response) {
  const wait = response.headers.get('retry-after');
  const problem = PROBLEMS[response.status] ?? `The service answered ${response.status}.`;
  return wait === null ? problem : `${problem} Try again in ${wait} s.`;
}

/** Sums the usage lines per operation, and sorts the most used first. */
function sumByOperation(lines) {
  const sums = new Map();
  for (const { operation, requests, quota_units, credits } of lines) {
    const sum = sums.get(operation) ?? [0, 0, 0];
    sums.set(operation, [sum[0] + requests, sum[1] + quota_units, sum[2] + credits]);
  }
  return [...sums].sort(([, [a]], [, [b]]) => b - a);
}

function show(response, { payload, meta }) {
  byId('limit').textContent = number(response.headers.get('x-ratelimit-minute-limit'));
  byId('remaining').textContent = number(response.headers.get('x-ratelimit-minute-remaining'));
  for (const [name, sum] of Object.entries(meta.totals)) byId(name).textContent = number(sum);
  byId('month').textContent = new Date(meta.received_at).toLocaleDateString('en', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  byId('by-operation').hidden = payload.length === 0;
  const rows = sumByOperation(payload).map(([operation, sums]) => {
    const row = document.createElement('tr');
    row.insertCell().textContent = operation;
    for (const sum of sums) {
      const cell = row.insertCell();
      cell.className = 'number';
      cell.textContent = number(sum);
    }
    return row;
  });
  byId('by-operation')
    .querySelector('tbody')
    .replaceChildren(...rows);
  byId('account').hidden = false;
}

async function check() {
  byId('account').hidden = true;
  showStatus('Asking…', false);
  try {
    const response = await checkKey(typedKey());
    fillExamples();
    if (response.ok) {
      show(response, await response.json());
      showStatus('', false);
    } else {
      showStatus(describeProblem(response), true);
    }
  } catch {
    // No response, or a key that is not a valid header value.
    showStatus('The service could not be asked. Is the key complete, and is there a connection?', true);
  }
}

byId('key-form').addEventListener('submit', (event) => {
  event.preventDefault();
  void check();
});
byId('key').addEventListener('input', () => {
  keepKey(typedKey());
  fillExamples();
});
for (const tab of tabs) {
  tab.addEventListener('click', () => choose(tab));
  tab.addEventListener('keydown', moveByKeys);
}
document.querySelector('[role=tablist]').hidden = false;
// Browsers allow the clipboard on HTTPS and localhost only.
byId('copy').hidden = navigator.clipboard === undefined;
byId('copy').addEventListener('click', copy);
choose(tabs[0]);
byId('key').value = readKey();
fillExamples();
