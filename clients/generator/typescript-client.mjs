// @ts-check
import { camelCase } from './description.mjs';
import { NOTICE } from './notice.mjs';

const IMPORTS = `import { pages, records } from '../lists.js';
import { inParts } from '../parts.js';
import { Transport, type ClientOptions } from '../transport.js';
import type { AnswerOf, CallOptions, OptionsOf, ParametersOf, RecordOf } from '../types.js';
`;

/** @typedef {import('./description.mjs').Operation} Operation */

/** Returns the class of the client, with a method for each operation. @param {Map<string, Operation[]>} groups */
export function typescriptClient(groups) {
  const names = [...groups.keys()];
  const fields = names.map((group) => `  readonly ${camelCase(group)}: ${className(group)};\n`).join('');
  const values = names.map((group) => `    this.${camelCase(group)} = new ${className(group)}(transport);\n`).join('');
  const classes = [...groups].map(([group, operations]) => groupClass(group, operations)).join('\n');
  return `// ${NOTICE}
${IMPORTS}
/** Client of the service. Its methods are safe to call concurrently. */
export class CreatorDataClient {
${fields}
  constructor(options: ClientOptions) {
    const transport = new Transport(options);
${values}  }
}

${classes}`;
}

/** @param {string} group */
const className = (group) => `${camelCase(group, true)}Operations`;

/** @param {string} group @param {readonly Operation[]} operations */
function groupClass(group, operations) {
  return `/** Operations \`${group}\`. */
export class ${className(group)} {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

${operations.flatMap(methods).join('\n')}}
`;
}

/** @param {Operation} operation */
function methods(operation) {
  const { id, name, summary, method, path, parameters, isPaged, batch } = operation;
  const isOptional = parameters.every(({ isRequired }) => !isRequired);
  const given = `parameters: ParametersOf<'${id}'>${isOptional ? ' = {}' : ''}`;
  const options = method === 'GET' ? `OptionsOf<'${id}'>` : 'CallOptions';
  const call = camelCase(name);
  const description = `{ method: '${method}', path: '${path}', query: ${namesIn(parameters, 'query')}, body: ${namesIn(parameters, 'body')} }`;
  const all = [
    `  /** ${summary}. */
  ${call}(${given}, options: ${options} = {}): Promise<AnswerOf<'${id}'>> {
    return this.#transport.request(${description}, parameters, options);
  }
`,
  ];
  if (isPaged) {
    all.push(
      `  /** Pages of \`${call}\`, from \`cursor\` or the first to the last. */
  ${call}Pages(${given}, options: CallOptions = {}): AsyncGenerator<AnswerOf<'${id}'>, void> {
    return pages((cursor) => this.${call}({ ...parameters, ...cursor }, options));
  }
`,
      `  /** Records of all pages of \`${call}\`. */
  ${call}All(${given}, options: CallOptions = {}): AsyncGenerator<RecordOf<'${id}'>, void> {
    return records(this.${call}Pages(parameters, options));
  }
`,
    );
  }
  if (batch !== null) {
    const { parameter, size } = batch;
    all.push(`  /** Answers of \`${call}\` for any number of \`${parameter}\`, with at most ${size} in a request. */
  ${call}InParts(${given}, options: CallOptions = {}): AsyncGenerator<AnswerOf<'${id}'>, void> {
    return inParts(parameters.${parameter}, ${size}, (${parameter}) => this.${call}({ ...parameters, ${parameter} }, options));
  }
`);
  }
  return all;
}

/** @param {Operation['parameters']} parameters @param {string} place */
function namesIn(parameters, place) {
  return `[${parameters.flatMap(({ name, in: where }) => (where === place ? [`'${name}'`] : [])).join(', ')}]`;
}
