// Starts Swagger UI, with examples in the same languages as on the landing page.
import { checkKey, keepKey, readKey, rejectKey } from '../key.js';

/* global SwaggerUIBundle, SwaggerUIStandalonePreset */

/** Swagger UI reads the preference of the system once, and a change later would leave it behind the rest of the page. */
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const followSystem = () => document.documentElement.classList.toggle('dark-mode', prefersDark.matches);
followSystem();
prefersDark.addEventListener('change', followSystem);

/** Reads the parts of a request for an example, without `accept`, which clients send anyway, and without a rejected key. */
function readRequest(request) {
  const { url, method, headers = {}, body } = request.toJS();
  delete headers.accept;
  if (headers['x-api-key'] !== undefined) headers['x-api-key'] = readKey() || 'YOUR_KEY';
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return { url, method: method.toUpperCase(), headers: Object.entries(headers), body: text };
}

const quoteForShell = (text) => `'${String(text).replaceAll("'", `'\\''`)}'`;

function curl(request) {
  const { url, method, headers, body } = readRequest(request);
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoteForShell(url)}`,
    ...headers.map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoteForShell(body)}`]),
  ].join(' \\\n  ');
}

/** JSON strings are also valid in JavaScript and Python. */
const quote = (text) => JSON.stringify(String(text));

function javascript(request) {
  const { url, method, headers, body } = readRequest(request);
  return [
    `const response = await fetch(${quote(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: ${quote(method)},`]),
    '  headers: {',
    ...headers.map(([name, value]) => `    ${quote(name)}: ${quote(value)},`),
    '  },',
    ...(body === undefined ? [] : [`  body: ${quote(body)},`]),
    '});',
    'console.log(response.status, await response.json());',
  ].join('\n');
}

function python(request) {
  const { url, method, headers, body } = readRequest(request);
  return [
    'import json',
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    ${quote(url)},`,
    ...(method === 'GET' ? [] : [`    method=${quote(method)},`]),
    '    headers={',
    ...headers.map(([name, value]) => `        ${quote(name)}: ${quote(value)},`),
    '    },',
    ...(body === undefined ? [] : [`    data=${quote(body)}.encode(),`]),
    ')',
    'with urlopen(request) as response:',
    '    print(response.status, json.load(response))',
  ].join('\n');
}

/** Statuses of the shared answers by operation ID. */
const sharedStatuses = new Map();

/** Moves examples and defaults of optional parameters into their descriptions: Swagger UI would fill them in, and on other
 * data than that of the examples, dates or a cursor select nothing. */
function describeOptional(parameter) {
  if (parameter.required) return;
  const { default: standard, ...schema } = parameter.schema;
  if (standard !== undefined) parameter.description += `. Default: \`${standard}\``;
  else if (parameter.example !== undefined) parameter.description += `. Example: \`${parameter.example}\``;
  parameter.schema = schema;
  delete parameter.example;
}

/** Leaves to each operation its own answers, without headers: the page describes the rest once, below the endpoints. */
function describeOwnAnswers(operation) {
  const shared = Object.keys(operation.responses).filter((status) => '$ref' in operation.responses[status]);
  sharedStatuses.set(operation.operationId, shared);
  for (const status of shared) delete operation.responses[status];
  for (const answer of Object.values(operation.responses)) delete answer.headers;
}

function shorten(text) {
  const description = JSON.parse(text);
  for (const operation of Object.values(description.paths).flatMap((item) => [item.get, item.post])) {
    if (operation === undefined) continue;
    operation.parameters?.forEach(describeOptional);
    describeOwnAnswers(operation);
  }
  return JSON.stringify(description);
}

const shortDescription = () => ({
  statePlugins: { spec: { wrapActions: { updateSpec: (update) => (text) => update(shorten(text)) } } },
});

/** Adds to the answers of an operation a link to those that it shares. */
const linkToSharedAnswers = () => ({
  wrapComponents: {
    responses:
      (Responses, { React, specSelectors }) =>
      (properties) => {
        const { path, method } = properties;
        const statuses =
          sharedStatuses.get(specSelectors.specJson().getIn(['paths', path, method, 'operationId'])) ?? [];
        const link = React.createElement('a', { href: '#answers' }, `Shared answers: ${statuses.join(', ')}`);
        return React.createElement(
          'div',
          null,
          React.createElement(Responses, properties),
          React.createElement('p', { className: 'shared-answers' }, link),
        );
      },
  },
});

/** Shows the path of an operation as text: it is within the button that opens it, where a link is not allowed. */
const plainPaths = () => ({
  wrapComponents: {
    DeepLink:
      (DeepLink, { React }) =>
      (properties) =>
        properties.path?.includes('/')
          ? React.createElement('span', null, properties.text)
          : React.createElement(DeepLink, properties),
  },
});

/** Adds what Swagger UI leaves out for keyboards and screen readers. */
function completeElements() {
  for (const select of document.querySelectorAll('tr[data-param-name] select:not([aria-label])')) {
    select.setAttribute('aria-label', select.closest('tr').dataset.paramName);
  }
  for (const block of document.querySelectorAll('pre:not([tabindex])')) block.tabIndex = 0;
}

new MutationObserver(completeElements).observe(document.getElementById('swagger-ui'), {
  childList: true,
  subtree: true,
});

// Swagger UI opens links in new tabs, which would have no key.
document.addEventListener(
  'click',
  ({ target }) => {
    const link = target.closest('a[target]');
    if (link?.origin === location.origin) link.removeAttribute('target');
  },
  true,
);

const SCHEME = 'api-key';

/** Shares the key with the other pages, and checks it at once. Swagger UI would keep it, right or wrong, in `localStorage`. */
const sharedKey = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize) => (given) => {
          const key = given[SCHEME].value;
          if (key !== readKey()) void checkAuthorization(key);
          return authorize(given);
        },
        logout: (logout) => (schemes) => {
          keepKey('');
          return logout(schemes);
        },
      },
    },
  },
});

async function checkAuthorization(key) {
  keepKey(key);
  if (readKey() !== '') await checkKey(readKey());
  if (readKey() === '') forgetAuthorization();
}

/** Forgets the key if it was revoked meanwhile. */
function checkResponse(response) {
  if (response.status === 403 && readKey() !== '') {
    rejectKey(readKey());
    forgetAuthorization();
  }
  return response;
}

function forgetAuthorization() {
  ui.authActions.logout([SCHEME]);
  ui.errActions.newAuthErr({ authId: SCHEME, source: 'auth', level: 'error', message: 'This key is not valid.' });
}

// Earlier versions of this page let Swagger UI keep the key there.
localStorage.removeItem('authorized');

const ui = SwaggerUIBundle({
  url: document.getElementById('swagger-ui').dataset.document,
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  responseInterceptor: checkResponse,
  onComplete: () => readKey() !== '' && ui.preauthorizeApiKey(SCHEME, readKey()),
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [
    shortDescription,
    linkToSharedAnswers,
    plainPaths,
    sharedKey,
    () => ({
      fn: {
        requestSnippetGenerator_curl: curl,
        requestSnippetGenerator_javascript: javascript,
        requestSnippetGenerator_python: python,
      },
    }),
  ],
  layout: 'StandaloneLayout',
  requestSnippetsEnabled: true,
  requestSnippets: {
    generators: {
      curl: { title: 'curl', syntax: 'bash' },
      javascript: { title: 'JavaScript', syntax: 'javascript' },
      python: { title: 'Python', syntax: 'python' },
    },
    languages: ['curl', 'javascript', 'python'],
  },
});
