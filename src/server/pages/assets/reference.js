// Starts Swagger UI, with examples in the same languages as on the landing page.
'use strict';

/* global SwaggerUIBundle, SwaggerUIStandalonePreset */

/** Reads the parts of a request for an example, without `accept`, which clients send anyway. */
function readRequest(request) {
  const { url, method, headers = {}, body } = request.toJS();
  delete headers.accept;
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return { url, method: method.toUpperCase(), headers: Object.entries(headers), body: text };
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

SwaggerUIBundle({
  url: document.getElementById('swagger-ui').dataset.document,
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [
    optionalExamples,
    () => ({ fn: { requestSnippetGenerator_javascript: javascript, requestSnippetGenerator_python: python } }),
  ],
  layout: 'StandaloneLayout',
  requestSnippetsEnabled: true,
  requestSnippets: {
    generators: {
      curl_bash: { title: 'curl', syntax: 'bash' },
      javascript: { title: 'JavaScript', syntax: 'javascript' },
      python: { title: 'Python', syntax: 'python' },
    },
    languages: ['curl_bash', 'javascript', 'python'],
  },
});
