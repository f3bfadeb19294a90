// Starts Swagger UI, with examples in the same languages as on the landing page.
import { checkKey, keepKey, readKey, rejectKey } from '../key.js';

/* global SwaggerUIBundle, SwaggerUIStandalonePreset */

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

/** Moves the examples of optional parameters into their descriptions: Swagger UI would fill them in, and on other data than
 * that of the examples, dates or a cursor select nothing. */
function describeExamples(text) {
  const description = JSON.parse(text);
  for (const operation of Object.values(description.paths).flatMap((item) => [item.get, item.post])) {
    for (const parameter of operation?.parameters ?? []) {
      if (parameter.required || parameter.example === undefined) continue;
      if (parameter.schema.default === undefined) parameter.description += `. Example: \`${parameter.example}\``;
      delete parameter.example;
    }
  }
  return JSON.stringify(description);
}

const optionalExamples = () => ({
  statePlugins: { spec: { wrapActions: { updateSpec: (update) => (text) => update(describeExamples(text)) } } },
});

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
  displayRequestDuration: true,
  responseInterceptor: checkResponse,
  onComplete: () => readKey() !== '' && ui.preauthorizeApiKey(SCHEME, readKey()),
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [
    optionalExamples,
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
