// The form for a key, and what the service answers about it.
import { fillExamples } from './examples.js';
import { checkKey, keepKey, readKey } from './key.js';
import { drawUsage, formatDay } from './usage-chart.js';

const byId = (id) => document.getElementById(id);
const number = (value) => Number(value).toLocaleString('en');
const typedKey = () => byId('key').value.trim();

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

/** Sums the usage lines that have the same value of a member. */
function sumBy(member, lines) {
  const sums = new Map();
  for (const line of lines) {
    const sum = sums.get(line[member]) ?? { requests: 0, quota_units: 0, credits: 0 };
    for (const name of Object.keys(sum)) sum[name] += line[name];
    sums.set(line[member], sum);
  }
  return sums;
}

function fillTable(id, rows) {
  const filled = rows.map(([name, { requests, quota_units, credits }]) => {
    const row = document.createElement('tr');
    row.insertCell().textContent = name;
    for (const sum of [requests, quota_units, credits]) {
      const cell = row.insertCell();
      cell.className = 'number';
      cell.textContent = number(sum);
    }
    return row;
  });
  byId(id).hidden = rows.length === 0;
  byId(id)
    .querySelector('tbody')
    .replaceChildren(...filled);
}

const ALLOWANCES = { quota_units: 'quota units', credits: 'credits' };

/** Shows what is left of the month allowances, as bars. A key without allowance has none. */
function showAllowance(allowance) {
  const bars = Object.entries(ALLOWANCES).flatMap(([member, name]) => {
    const part = allowance?.[member] ?? null;
    if (part === null) return [];
    const { limit, used } = part;
    const left = Math.max(0, limit - used);
    const bar = document.createElement('meter');
    Object.assign(bar, { max: Math.max(limit, 1), value: left, low: limit / 5, optimum: limit });
    const label = document.createElement('label');
    label.append(`${number(left)} of ${number(limit)} ${name} left`, bar);
    return [label];
  });
  if (bars.length > 0) {
    const note = document.createElement('p');
    note.className = 'quiet';
    note.textContent = `A new month starts on ${formatDay(allowance.resets_at)} (UTC).`;
    bars.push(note);
  }
  byId('allowance').replaceChildren(...bars);
  byId('allowance').hidden = bars.length === 0;
}

function show(response, { payload, meta }) {
  byId('limit').textContent = number(response.headers.get('x-ratelimit-minute-limit'));
  byId('remaining').textContent = number(response.headers.get('x-ratelimit-minute-remaining'));
  for (const [name, sum] of Object.entries(meta.totals)) byId(name).textContent = number(sum);
  showAllowance(meta.allowance);
  byId('month').textContent = new Date(meta.received_at).toLocaleDateString('en', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const days = sumBy('date', payload);
  fillTable(
    'by-day',
    [...days].map(([date, sums]) => [formatDay(date), sums]),
  );
  const operations = [...sumBy('operation', payload)];
  fillTable(
    'by-operation',
    operations.sort(([, a], [, b]) => b.requests - a.requests),
  );
  byId('usage').hidden = days.size === 0;
  drawUsage(byId('usage'), days, meta.received_at);
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
byId('key').value = readKey();
if (readKey() !== '') void check();
