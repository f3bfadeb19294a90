// Swagger UI over the description of this service, with examples in the languages of the landing page.
'use strict';

/* global SwaggerUIBundle, SwaggerUIStandalonePreset */

/** The parts of a request that was sent; `accept` is what clients send anyway. */
function partsOf(request) {
  const { url, method, headers = {}, body } = request.toJS();
  delete headers.accept;
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return { url, method: method.toUpperCase(), headers: Object.entries(headers), body: text };
}

/** Strings of JSON are strings of JavaScript and of Python. */
const quoted = (text) => JSON.stringify(String(text));

function javascript(request) {
  const { url, method, headers, body } = partsOf(request);
  return [
    `const response = await fetch(${quoted(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: ${quoted(method)},`]),
    '  headers: {',
    ...headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`),
    '  },',
    ...(body === undefined ? [] : [`  body: ${quoted(body)},`]),
    '});',
    'console.log(response.status, await response.json());',
  ].join('\n');
}

function python(request) {
  const { url, method, headers, body } = partsOf(request);
  return [
    'import json',
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    ${quoted(url)},`,
    ...(method === 'GET' ? [] : [`    method=${quoted(method)},`]),
    '    headers={',
    ...headers.map(([name, value]) => `        ${quoted(name)}: ${quoted(value)},`),
    '    },',
    ...(body === undefined ? [] : [`    data=${quoted(body)}.encode(),`]),
    ')',
    'with urlopen(request) as response:',
    '    print(response.status, json.load(response))',
  ].join('\n');
}

SwaggerUIBundle({
  url: document.getElementById('swagger-ui').dataset.document,
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [() => ({ fn: { requestSnippetGenerator_javascript: javascript, requestSnippetGenerator_python: python } })],
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
