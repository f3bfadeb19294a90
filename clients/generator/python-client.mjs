// @ts-check
import { camelCase } from './description.mjs';
import { NOTICE } from './notice.mjs';
import { documentation, metaName, payloadName, pythonType, quoted } from './python-types.mjs';

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
  return `# ${NOTICE}
"""The client, with a method for each operation."""

from __future__ import annotations

from typing import Any, Iterable, Iterator, List, Literal, MutableMapping, Optional

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
    ) -> None:
        self._transport = Transport(base_url, api_key, timeout, max_retries, max_retry_wait, cache)
${names.map((group) => `        self.${group} = ${className(group)}(self._transport)\n`).join('')}
    def close(self) -> None:
        """Closes idle connections."""
        self._transport.close()

    def __enter__(self) -> CreatorDataClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

${[...groups].map(([group, list]) => groupClass(group, list)).join('\n\n')}`;
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

${operations.flatMap(methods).join('\n')}`;
}

/** @param {Operation} operation */
function methods({ id, name, summary, method, parameters, body, isPaged, batch }) {
  const payload = types(pythonType(body.properties?.payload ?? {}, payloadName(id), []));
  const meta = `types.${metaName(id)}`;
  const record = /^List\[(.*)\]$/.exec(payload)?.[1] ?? payload;
  const answer = isPaged ? `Page[${record}, ${meta}]` : `Answer[${payload}, ${meta}]`;
  const values = `{${parameters.map((parameter) => `${quoted(parameter.name)}: ${parameter.name}`).join(', ')}}`;
  const request = `self._transport, ${constant(id)}, ${values}, `;
  const previous = method === 'GET' ? [`previous: Optional[${answer}] = None`] : [];
  const define = (
    /** @type {string} */ called,
    /** @type {string} */ returned,
    /** @type {readonly string[]} */ more = [],
  ) => {
    const options = ['timeout: Optional[float] = None', 'max_retries: Optional[int] = None', ...more];
    const lines = [...parameters.toSorted(requiredFirst).map(argument), ...options].map((line) => `        ${line},\n`);
    return `    def ${called}(\n        self,\n        *,\n${lines.join('')}    ) -> ${returned}:\n`;
  };
  const all = [
    `${define(name, answer, previous)}${documentation('        ', summary)}        return self._transport.request(${constant(id)}, ${values}, timeout, max_retries${method === 'GET' ? ', previous' : ''})\n`,
  ];
  if (isPaged) {
    all.push(
      `${define(`${name}_pages`, `Iterator[${answer}]`)}        """Pages of \`\`${name}\`\`, from \`\`cursor\`\` or the first to the last."""
        return pages(${request}timeout, max_retries)\n`,
      `${define(`${name}_all`, `Iterator[${record}]`)}        """Records of all pages of \`\`${name}\`\`."""
        return records(pages(${request}timeout, max_retries))\n`,
    );
  }
  if (batch !== null) {
    const { parameter, size } = batch;
    all.push(`${define(`${name}_in_parts`, `Iterator[${answer}]`)}        """Answers of \`\`${name}\`\` for any number of \`\`${parameter}\`\`, with at most ${size} in a request."""
        return in_parts(${request}${quoted(parameter)}, ${size}, timeout, max_retries)\n`);
  }
  return all;
}

/** @param {Parameter} a @param {Parameter} b */
const requiredFirst = (a, b) => Number(b.isRequired) - Number(a.isRequired);

/** @param {Parameter} parameter */
function argument({ name, isRequired, schema }) {
  const annotation = types(pythonType(schema, 'Any', [])).replace(/^List\[/, 'Iterable[');
  return isRequired ? `${name}: ${annotation}` : `${name}: Optional[${annotation}] = None`;
}

/** Qualifies the names of records in an annotation. @param {string} annotation */
function types(annotation) {
  const known = ['Any', 'Dict', 'List', 'Literal', 'Optional', 'Union', 'None'];
  return annotation.replaceAll(/\b[A-Z]\w*/g, (name) => (known.includes(name) ? name : `types.${name}`));
}
