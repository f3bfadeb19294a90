// @ts-check
import { camelCase, schemaName } from './description.mjs';
import { NOTICE } from './notice.mjs';

/** @typedef {import('./description.mjs').Schema} Schema */
/** @typedef {import('./description.mjs').Operation} Operation */

const SCALARS = new Map([
  ['string', 'str'],
  ['integer', 'int'],
  ['number', 'float'],
  ['boolean', 'bool'],
  ['null', 'None'],
]);

/**
 * Returns the module with the types of all records, and of the member `meta` of each operation.
 * @param {import('./description.mjs').Document} document
 * @param {Map<string, Operation[]>} groups
 */
export function pythonTypes(document, groups) {
  /** @type {string[]} */
  const classes = [];
  const operations = [...groups.values()].flat();
  const sent = new Set(Object.keys(document.components.schemas).filter((name) => name.endsWith('Request')));
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (!sent.has(name)) pythonType(schema, name, classes);
  }
  for (const { id, body } of operations) {
    pythonType(body.properties?.payload ?? {}, payloadName(id), classes);
    pythonType(body.properties?.meta ?? {}, metaName(id), classes);
  }
  const platform = platformLiteral(groups);
  return `# ${NOTICE}
"""Types of the records and of \`\`meta\`\`."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

Platform = ${platform}
"""Platform of a record."""


${classes.join('\n\n').replaceAll(platform, 'Platform')}`;
}

/** Returns the annotation of the five platforms, which most records and operations repeat. @param {Map<string, Operation[]>} groups */
export function platformLiteral(groups) {
  const parameters = [...groups.values()].flat().flatMap((operation) => operation.parameters);
  const schema = parameters.find(({ name }) => name === 'platform')?.schema ?? {};
  return pythonType(schema, 'Platform', []);
}

/** @param {string} id of an operation */
export const metaName = (id) => `${camelCase(id, true)}Meta`;

/** @param {string} id of an operation */
export const payloadName = (id) => `${camelCase(id, true)}Payload`;

/**
 * Returns the annotation of a schema.
 * @param {Schema} schema
 * @param {string} name of the class, if the schema is an object
 * @param {string[]} classes to which a new class is added
 * @returns {string}
 */
export function pythonType(schema, name, classes) {
  if (schema.$ref !== undefined) return schemaName(schema.$ref);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return `Union[${choices.map((one) => pythonType(one, name, classes)).join(', ')}]`;
  const [only] = schema.allOf ?? [];
  if (only !== undefined && schema.allOf?.length === 1) return pythonType(only, name, classes);
  const types = [schema.type ?? []].flat();
  const present = types.filter((type) => type !== 'null').map((type) => typeNamed(type, schema, name, classes));
  if (present.length === 0) return 'Any';
  const annotation = present.length === 1 ? String(present[0]) : `Union[${present.join(', ')}]`;
  return types.includes('null') ? `Optional[${annotation}]` : annotation;
}

/** @param {string} type @param {Schema} schema @param {string} name @param {string[]} classes @returns {string} */
function typeNamed(type, schema, name, classes) {
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values !== undefined)
    return `Literal[${values
      .filter((value) => value !== null)
      .map(quoted)
      .join(', ')}]`;
  if (type === 'array') return `List[${pythonType(schema.items ?? {}, name, classes)}]`;
  if (type !== 'object') return SCALARS.get(type) ?? 'Any';
  const { properties, additionalProperties } = schema;
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? pythonType(additionalProperties, name, classes) : 'Any';
    return `Dict[str, ${value}]`;
  }
  addClass(name, schema, classes);
  return name;
}

/** Adds a class; two where members may be absent, because Python 3.9 has no `NotRequired`. @param {string} name @param {Schema} schema @param {string[]} classes */
function addClass(name, schema, classes) {
  const members = Object.entries(schema.properties ?? {});
  const lines = members.map(([member, { description, ...inner }]) => {
    if (!/^[A-Za-z]\w*$/.test(member)) throw new Error(`${name}: not a name in Python: ${member}`);
    const annotation = pythonType(inner, name + camelCase(`_${member}`), classes);
    return { member, text: `    ${member}: ${annotation}\n${documentation('    ', description)}` };
  });
  const isRequired = (/** @type {string} */ member) => schema.required?.includes(member) ?? false;
  const required = lines.filter(({ member }) => isRequired(member)).map(({ text }) => text);
  const optional = lines.filter(({ member }) => !isRequired(member)).map(({ text }) => text);
  const base = `_${name}Required`;
  if (required.length > 0 && optional.length > 0) classes.push(`class ${base}(TypedDict):\n${required.join('')}`);
  const parents =
    optional.length === 0 ? 'TypedDict' : required.length === 0 ? 'TypedDict, total=False' : `${base}, total=False`;
  const own = optional.length === 0 ? required : optional;
  const body = documentation('    ', schema.description) + (own.length === 0 ? '    pass\n' : `\n${own.join('')}`);
  classes.push(`class ${name}(${parents}):\n${body.replace(/^\n/, '')}`);
}

/** @param {string} indent @param {string | undefined} text */
export const documentation = (indent, text) =>
  text === undefined || text === '' ? '' : `${indent}"""${text.replaceAll('\\', '\\\\').replaceAll('"', "'")}."""\n`;

/** @param {string} value */
export const quoted = (value) => JSON.stringify(value);
