// Says in words what `/health` answers, and asks it again while the page is visible.

const INTERVAL_MS = 10_000;
const TIMEOUT_MS = 8_000;

/** Names of the checks, with what `up` and `down` mean to the people who send requests. */
const PARTS = {
  answers: {
    name: 'Answering',
    up: 'The service can be reached.',
    down: 'The service cannot be reached from this browser. It may be restarting, or the network is down.',
  },
  database: {
    name: 'Look-ups',
    up: 'Profiles, content, games and analyses can be read.',
    down: 'The database cannot be read. Requests get a 503, which is free. The service recovers by itself.',
  },
  usage: {
    name: 'Usage records',
    up: 'Each request is recorded before it is answered.',
    down: 'Requests cannot be recorded, so they get a 503, which is free. The service recovers by itself.',
  },
  capacity: {
    name: 'Capacity',
    up: 'Every request is accepted.',
    down: 'There is more to do than this process can. Some requests get a 503, which is free: send them again later.',
  },
  search: {
    name: 'Search for creators',
    up: 'Searches find every change within seconds.',
    down: 'The search index is out of date or cannot be written. Searches may get a 503, which is free. Everything else works.',
  },
  redis: {
    name: 'Shared limits',
    up: 'All processes count the limit of a key together.',
    down: 'Redis is down, so each process counts the limit of a key by itself. Requests are answered.',
  },
};

const SUMMARIES = {
  checking: ['Checking…', ''],
  ok: ['Everything works', 'Requests are answered and recorded.'],
  limited: ['Works, with limits', 'Requests are answered. What does not work is listed below.'],
  unavailable: ['Requests cannot be answered', 'Send them again later: they get a free 503 until everything is back.'],
  unreachable: ['The service does not answer', 'This page shows what it last heard, and keeps asking.'],
};

const byId = (id) => document.getElementById(id);
let timer;

/** Asks the service. @returns the state of the summary, and the checks */
async function ask() {
  try {
    const response = await fetch('health', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { payload } = await response.json();
    const checks = { answers: 'up', ...payload.checks };
    if (payload.status !== 'ok') return { state: 'unavailable', checks };
    return { state: Object.values(checks).includes('down') ? 'limited' : 'ok', checks };
  } catch {
    // No answer in time, or that of a proxy in front of the service.
    return { state: 'unreachable', checks: { answers: 'down' } };
  }
}

/** Changes a text only if it is another, so that screen readers announce changes alone. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function show({ state, checks }) {
  const [headline, explanation] = SUMMARIES[state];
  byId('summary').dataset.state = state;
  setText(byId('headline'), headline);
  setText(byId('explanation'), explanation);
  byId('parts').replaceChildren(...Object.entries(checks).map(([name, result]) => renderPart(name, result)));
  const time = new Date().toLocaleTimeString('en', { hour12: false });
  setText(byId('checked'), `Checked at ${time}, and again every ${INTERVAL_MS / 1000} seconds.`);
}

function renderPart(check, result) {
  const { name, [result]: meaning } = PARTS[check] ?? { name: check };
  const item = document.createElement('li');
  item.dataset.state = result;
  const add = (tag, text) => (item.appendChild(document.createElement(tag)).textContent = text);
  add('strong', name);
  add('em', result === 'up' ? 'Works' : 'Does not work');
  add('span', meaning ?? '');
  return item;
}

async function refresh() {
  clearTimeout(timer);
  show(await ask());
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(() => void refresh(), INTERVAL_MS);
}

byId('check').addEventListener('click', () => void refresh());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void refresh();
});
void refresh();
