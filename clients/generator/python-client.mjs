// @ts-check
import { camelCase } from './description.mjs';
import { NOTICE } from './notice.mjs';
import { documentation, metaName, payloadName, platformLiteral, pythonType, quoted } from './python-types.mjs';

/** @typedef {import('./description.mjs').Operation} Operation */
/** @typedef {import('./description.mjs').Parameter} Parameter */

/** Returns the module of the client, with a method for each operation. @param {Map<string, Operation[]>} groups */
export function pythonClient(groups) {
  const operations = [...groups.values()].flat();
  const constants = operations.map(
    ({ id, method, path, parameters }) =>
      `${constant(id)} = Operation(${quoted(method)}, ${quoted(path)}, ${tuple(parameters, 'query')}, ${tuple(parameters, 'body')})\n`,
  );
  const names = [...groups.keys()];
  const classes = [...groups].map(([group, list]) => groupClass(group, list)).join('\n\n');
  return `# ${NOTICE}
"""The client, with a method for each operation."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, Literal, MutableMapping, Optional

from . import types
from ._answer import Answer, Page
from ._lists import in_parts, pages, records
from ._request import Operation
from ._transport import Transport

${constants.join('')}

class CreatorDataClient:
    """Client of the service. Threads may share it.

    \`\`base_url\`\`: address of the service, such as \`\`https://creators.example.com\`\`; it may have a path.
    \`\`timeout\`\`: seconds that the service may be silent.
    \`\`max_retries\`\`: retries after a 429, a 503 or a broken connection.
    \`\`max_retry_wait\`\`: seconds that a call spends waiting for retries. A longer wait fails at once.
    \`\`cache\`\`: makes every GET conditional: a 304 is free, and returns the cached answer. A \`\`dict\`\` is one; use a
    bounded one where URLs are many. Every use is checked with the service.
    \`\`test_answer\`\`: answer that a test key forces: \`\`402\`\`, \`\`404\`\`, \`\`429\`\`, \`\`500\`\`, \`\`503\`\`, \`\`slow\`\` or \`\`nulls\`\`.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 30.0,
        max_retries: int = 4,
        max_retry_wait: float = 120.0,
        cache: Optional[MutableMapping[str, Answer[Any, Any]]] = None,
        test_answer: Optional[str] = None,
    ) -> None:
        self._transport = Transport(base_url, api_key, timeout, max_retries, max_retry_wait, cache, test_answer)
${names.map((group) => `        self.${group} = ${className(group)}(self._transport)\n`).join('')}
    def close(self) -> None:
        """Closes idle connections."""
        self._transport.close()

    def __enter__(self) -> CreatorDataClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

${classes.replaceAll(platformLiteral(groups), 'types.Platform')}`;
}

/** @param {string} id */
const constant = (id) => `_${id.replaceAll('.', '_').toUpperCase()}`;

/** @param {string} group */
const className = (group) => `${camelCase(group, true)}Operations`;

/** @param {readonly Parameter[]} parameters @param {string} place */
function tuple(parameters, place) {
  const names = parameters.filter((parameter) => parameter.in === place).map(({ name }) => quoted(name));
  return names.length === 1 ? `(${names[0]},)` : `(${names.join(', ')})`;
}

/** @param {string} group @param {readonly Operation[]} operations */
function groupClass(group, operations) {
  return `
class ${className(group)}:
    """Operations \`\`${group}\`\`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

${operations.map(methods).join('\n')}`;
}

/** @param {Operation} operation */
function methods({ id, name, summary, method, parameters, body, isPaged, batch }) {
  const payload = qualified(pythonType(body.properties?.payload ?? {}, payloadName(id), []));
  const meta = `types.${metaName(id)}`;
  const record = /^List\[(.*)\]$/.exec(payload)?.[1] ?? payload;
  const answer = isPaged ? `Page[${record}, ${meta}]` : `Answer[${payload}, ${meta}]`;
  const call = `self._transport, ${constant(id)}, parameters`;
  const previous = method === 'GET' ? [`previous: Optional[${answer}] = None`] : [];
  const lines = [
    defined(name, parameters, answer, previous),
    documentation('        ', summary),
    values(parameters),
    `        return self._transport.request(${constant(id)}, parameters, timeout, max_retries${method === 'GET' ? ', previous' : ''})\n`,
  ];
  if (isPaged) {
    lines.push(
      `\n${defined(`${name}_pages`, parameters, `Iterator[${answer}]`)}`,
      `        """Pages of \`\`${name}\`\`, from \`\`cursor\`\` or the first to the last."""\n`,
      values(parameters),
      `        return pages(${call}, timeout, max_retries)\n`,
      `\n${defined(`${name}_all`, parameters, `Iterator[${record}]`)}`,
      `        """Records of all pages of \`\`${name}\`\`."""\n`,
      values(parameters),
      `        return records(pages(${call}, timeout, max_retries))\n`,
    );
  }
  if (batch !== null) {
    const { parameter, size } = batch;
    lines.push(
      `\n${defined(`${name}_in_parts`, parameters, `Iterator[${answer}]`)}`,
      `        """Answers of \`\`${name}\`\` for any number of \`\`${parameter}\`\`, with at most ${size} in a request."""\n`,
      values(parameters),
      `        return in_parts(${call}, ${quoted(parameter)}, ${size}, timeout, max_retries)\n`,
    );
  }
  return lines.join('');
}

/**
 * Returns the head of a method.
 * @param {string} name @param {readonly Parameter[]} parameters @param {string} returned
 * @param {readonly string[]} more further arguments
 */
function defined(name, parameters, returned, more = []) {
  const required = parameters.filter(({ isRequired }) => isRequired);
  const optional = parameters.filter(({ isRequired }) => !isRequired);
  const options = ['timeout: Optional[float] = None', 'max_retries: Optional[int] = None', ...more];
  const lines = [...[...required, ...optional].map(argument), ...options].map((line) => `        ${line},\n`);
  return `    def ${name}(\n        self,\n        *,\n${lines.join('')}    ) -> ${returned}:\n`;
}

/** @param {Parameter} parameter */
function argument({ name, isRequired, schema }) {
  const annotation = qualified(pythonType(schema, 'Any', [])).replace(/^List\[/, 'Iterable[');
  return `${pythonName(name)}: ${isRequired ? annotation : `Optional[${annotation}] = None`}`;
}

/** Returns the statement that collects the parameters. @param {readonly Parameter[]} parameters */
function values(parameters) {
  if (parameters.length === 0) return '        parameters: Dict[str, Any] = {}\n';
  const lines = parameters.map(({ name }) => `            ${quoted(name)}: ${pythonName(name)},\n`);
  return `        parameters: Dict[str, Any] = {\n${lines.join('')}        }\n`;
}

/** Returns the argument of a parameter. Python reserves some names. @param {string} name */
const pythonName = (name) => (['from', 'not', 'in', 'is', 'class'].includes(name) ? `${name}_` : name);

/** Qualifies the names of records in an annotation, but not words in quotes. @param {string} annotation */
function qualified(annotation) {
  const known = ['Any', 'Dict', 'List', 'Literal', 'Optional', 'Union', 'None'];
  return annotation.replaceAll(/"[^"]*"|\b[A-Z]\w*/g, (name) =>
    known.includes(name) || name.startsWith('"') ? name : `types.${name}`,
  );
}
