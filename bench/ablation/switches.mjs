// @ts-check
/**
 * The optimisations that `npm run ablation` switches off, each as edits of the source. Production code has no switches:
 * the edits are applied to a copy of the tree. `find` must occur exactly once in its file; a test checks that it does,
 * and that the edited source still compiles.
 */

/**
 * @typedef {{ file: string, find: string, replace: string }} Edit
 * @typedef {'mysql' | 'sqlite'} Engine
 * @typedef {object} Switch
 * @property {string} name
 * @property {string} title the optimisation, as the table calls it
 * @property {readonly Engine[]} [engines] databases that it affects; both by default
 * @property {readonly string[]} [loads] loads to measure; by default the four loads of `npm run bench`
 * @property {string} [program] program to start instead of the bundled service
 * @property {readonly Edit[]} edits
 */

const ADAPTER = 'src/http/node/lean-express.adapter.ts';
const ENVELOPE = 'src/http/envelope/envelope.ts';
const ETAG = 'src/http/envelope/etag.ts';
const IN_FLIGHT = 'src/http/traffic/in-flight.ts';
const LOADER = 'src/database/record-loader.ts';
const MYSQL = 'src/database/mysql/mysql-database.ts';
const PIPE = 'src/http/validation/request.pipe.ts';
const RECORDER = 'src/receipts/usage-recorder.ts';
const SQLITE = 'src/database/sqlite/sqlite-database.ts';
const STATEMENTS = 'src/database/statements.ts';

/** @type {readonly Switch[]} */
export const SWITCHES = [
  {
    name: 'bundle',
    title: 'programs bundled',
    program: 'dist/src/main.js',
    edits: [],
  },
  {
    name: 'prototypes',
    title: 'Express prototypes given at creation',
    edits: [
      { file: ADAPTER, find: 'IncomingMessage: Request,', replace: 'IncomingMessage: class extends Request {},' },
      {
        file: ADAPTER,
        find: 'ServerResponse: Response as',
        replace: 'ServerResponse: class extends Response {} as',
      },
    ],
  },
  {
    name: 'interceptor',
    title: 'envelope interceptor awaited, not an Observable',
    edits: [
      {
        file: 'src/http/awaited-interceptors.ts',
        find: 'interceptors.length === 1 &&',
        replace: 'interceptors.length > 1 &&',
      },
    ],
  },
  {
    name: 'validation-pipe',
    title: "own validation pipe, not Nest's `ValidationPipe`",
    loads: ['list', 'batch'],
    edits: [
      {
        file: PIPE,
        find: "import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';",
        replace:
          "import { Injectable, ValidationPipe } from '@nestjs/common';\n" +
          "import * as transformerPackage from 'class-transformer';\n" +
          "import * as validatorPackage from 'class-validator';",
      },
      {
        file: PIPE,
        find:
          'implements PipeTransform {\n' +
          '  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {\n' +
          '    if (metatype === undefined) return value;\n' +
          "    const request = validate(metatype, isRecord(value) ? value : {}, type === 'body' ? 'body' : 'query');\n" +
          '    // After the validation, because a missing member has an error of its own.\n' +
          "    if (!isRecord(value)) throw new ApiError('invalid_parameter', 'Request body must be a JSON object');\n" +
          '    return request;\n' +
          '  }',
        replace:
          'extends ValidationPipe {\n' +
          '  constructor() {\n' +
          '    super({\n' +
          '      whitelist: true,\n' +
          '      forbidNonWhitelisted: true,\n' +
          '      transform: true,\n' +
          '      transformOptions: { exposeDefaultValues: true },\n' +
          '      stopAtFirstError: true,\n' +
          '      exceptionFactory: ([problem]) => new ApiError("invalid_parameter", Object.values(problem?.constraints ?? {})[0] ?? REQUIRED),\n' +
          '      // The ones that the decorators registered with: the pipe would load its own beside the bundle.\n' +
          '      validatorPackage: validatorPackage as never,\n' +
          '      transformerPackage: transformerPackage as never,\n' +
          '    });\n' +
          '  }',
      },
    ],
  },
  {
    name: 'look-ups-batched',
    title: 'look-ups of a turn in one query',
    edits: [
      { file: LOADER, find: 'maxBatchSize: MAX_LOOKUPS', replace: 'maxBatchSize: 1' },
      {
        file: LOADER,
        find: 'batchScheduleFn: (run) => void setImmediate(() => this.#collect(run))',
        replace: 'batchScheduleFn: (run) => process.nextTick(run)',
      },
    ],
  },
  {
    name: 'look-ups-gathered',
    title: 'look-ups wait for the query in flight',
    edits: [
      {
        file: LOADER,
        find: 'void setImmediate(() => this.#collect(run))',
        replace: 'void setImmediate(run)',
      },
    ],
  },
  {
    name: 'batches-batched',
    title: 'up to five batches in one query',
    loads: ['batch'],
    edits: [{ file: LOADER, find: 'MAX_BATCHES = 5', replace: 'MAX_BATCHES = 1' }],
  },
  {
    name: 'raw-driver',
    title: 'compiled statements on the driver, not `getRawMany` of a cached query builder',
    engines: ['mysql'],
    edits: [
      {
        file: MYSQL,
        find: '      return await this.#read(sql, values, source, startedAt);\n',
        replace:
          '      const builder = builderOf(this.dataSource, sql);\n' +
          '      if (builder === null) return await this.#read(sql, values, source, startedAt);\n' +
          '      const query = builder.clone().setParameters(Object.fromEntries(values.map((v, at) => [`p${at}`, v])));\n' +
          "      return await (sql.endsWith(' LIMIT ?') ? query.limit(Number(values.at(-1))) : query).getRawMany();\n",
      },
      {
        file: MYSQL,
        find: 'const primaryPool = (dataSource: DataSource): Pool =>',
        replace:
          "const builders = new Map<string, ReturnType<DataSource['createQueryBuilder']> | null>();\n\n" +
          '/** A query builder for one of our statements, null for statements of another form. */\n' +
          'function builderOf(dataSource: DataSource, sql: string) {\n' +
          '  const known = builders.get(sql);\n' +
          '  if (known !== undefined) return known;\n' +
          '  const form =\n' +
          '    /^SELECT ([\\w, ]+) FROM (\\w+)(?: FORCE INDEX \\((\\w+)\\))?(?: WHERE (.+?))?(?: ORDER BY (.+?))?(?: LIMIT \\?)?$/;\n' +
          "  const [, columns, table = '', index, where, order] = form.exec(sql) ?? [];\n" +
          '  let builder: ReturnType<typeof dataSource.createQueryBuilder> | null = null;\n' +
          '  if (columns !== undefined) {\n' +
          "    const [first = '', ...others] = columns.split(', ');\n" +
          "    const select = dataSource.createQueryBuilder().select(first, first).from(table, 't');\n" +
          '    for (const column of others) select.addSelect(column, column);\n' +
          '    let at = 0;\n' +
          '    const named = where?.replace(/IN \\(\\?\\)|\\?/g, (mark) =>\n' +
          "      mark === '?' ? `:p${at++}` : `IN (:...p${at++})`,\n" +
          '    );\n' +
          '    if (named !== undefined) select.where(named);\n' +
          "    for (const term of order?.split(', ') ?? []) {\n" +
          "      const [key = '', direction] = term.split(' ');\n" +
          "      select.addOrderBy(key, direction as 'ASC' | 'DESC');\n" +
          '    }\n' +
          "    builder = index === undefined || index === 'PRIMARY' ? select : select.useIndex(index);\n" +
          '  }\n' +
          '  builders.set(sql, builder);\n' +
          '  return builder;\n' +
          '}\n\n' +
          'const primaryPool = (dataSource: DataSource): Pool =>',
      },
      {
        // Documents stay bytes and IDs strings, so that only the reads are compared.
        file: 'src/schema/data-source.ts',
        find: '    extra: POOL_OPTIONS,\n',
        replace:
          '    extra: {\n' +
          '      ...POOL_OPTIONS,\n' +
          '      typeCast: (field: { type: string; buffer(): Buffer; string(as: string): string }, next: () => unknown) => {\n' +
          '        if (/BLOB$/.test(field.type)) return field.buffer();\n' +
          "        return /STRING$/.test(field.type) ? field.string('utf8') : next();\n" +
          '      },\n' +
          '    },\n',
      },
    ],
  },
  {
    name: 'index-hints',
    title: 'index hints',
    edits: [{ file: STATEMENTS, find: ' FROM ${tableName}${use}', replace: ' FROM ${tableName}' }],
  },
  {
    name: 'reading-thread',
    title: 'large reads on a thread',
    engines: ['sqlite'],
    edits: [
      {
        file: SQLITE,
        find: 'packed === null || !prefersThread',
        replace: 'packed === null || prefersThread || !prefersThread',
      },
    ],
  },
  {
    name: 'packed-rows',
    title: 'rows of the reading thread packed',
    engines: ['sqlite'],
    edits: [
      {
        file: SQLITE,
        find: "return unpackRows(await this.#reader.call({ kind: 'read', sql: packed.sql, rows: [values] }), packed.others);",
        replace: "return documentsAsBytes(await this.#reader.call<R[]>({ kind: 'rows', sql, rows: [values] }));",
      },
      {
        file: 'src/database/sqlite/statement-runner.mjs',
        find: '  execute({ kind, sql, rows }) {\n',
        replace: "  execute({ kind, sql, rows }) {\n    if (String(kind) === 'rows') return this.select(sql, rows);\n",
      },
    ],
  },
  {
    name: 'reads-ahead',
    title: '24 reads a message to the thread, not 8',
    engines: ['sqlite'],
    loads: ['list', 'batch', 'game'],
    edits: [{ file: SQLITE, find: 'maxInFlight: 24', replace: 'maxInFlight: 8' }],
  },
  {
    name: 'thread-heap',
    title: "threads' young generations bounded",
    engines: ['sqlite'],
    edits: [
      {
        file: 'src/database/sqlite/sqlite-thread.ts',
        find: '{ maxYoungGenerationSizeMb: this.settings.youngGenerationMib }',
        replace: '{}',
      },
    ],
  },
  {
    name: 'documents-as-bytes',
    title: 'documents as bytes from store to socket',
    edits: [
      {
        file: 'src/database/mysql/mysql-connection.ts',
        find: 'if (TEXT_TYPES.has(field.columnType)) field.characterSet = BINARY_CHARSET;',
        replace:
          'if (TEXT_TYPES.has(field.columnType) && (field.characterSet ?? 0) < 0) field.characterSet = BINARY_CHARSET;',
      },
      {
        file: 'src/database/sqlite/sqlite-writer.ts',
        find: 'row[DOCUMENT] = Buffer.from(document);',
        replace: 'row[DOCUMENT] = document;',
      },
      {
        file: 'src/database/sqlite/packed-rows.ts',
        find: 'Buffer.from(documents.buffer, start, size);',
        replace: 'Buffer.from(documents.buffer, start, size).toString();',
      },
      {
        file: ENVELOPE,
        find: 'const body = Buffer.isBuffer(data)',
        replace:
          'const text = (Array.isArray(data) ? `${START}[${data.join()}]` : START + String(data)) + page + rest;\n' +
          "  if (typeof text === 'string') {\n" +
          '    const whole = Buffer.from(text);\n' +
          '    return { body: whole, bodyWithoutMeta: whole.subarray(0, whole.length - Buffer.byteLength(rest)) };\n' +
          '  }\n' +
          '  const body = Buffer.isBuffer(data)',
      },
    ],
  },
  {
    name: 'joined-in-place',
    title: 'envelope written in place, not `Buffer.concat`',
    loads: ['list', 'batch', 'game'],
    edits: [
      {
        file: ENVELOPE,
        find: '  const commas = Math.max(0, documents.length - 1);\n',
        replace:
          "  const comma = Buffer.from(',');\n" +
          '  const parts = documents.flatMap((document, at) => (at === 0 ? [document] : [comma, document]));\n' +
          '  if (parts.length >= 0) return Buffer.concat([Buffer.from(start), ...parts, Buffer.from(end)]);\n' +
          '  const commas = Math.max(0, documents.length - 1);\n',
      },
    ],
  },
  {
    name: 'detached-buffers',
    title: 'large bodies freed when they are sent',
    loads: ['list', 'batch', 'game'],
    edits: [
      {
        file: ADAPTER,
        find: 'if (body.byteLength === body.buffer.byteLength)',
        replace: 'if (body.byteLength < 0)',
      },
    ],
  },
  {
    name: 'freed-pages',
    title: 'memory of a page freed once it is copied',
    loads: ['list', 'game'],
    engines: ['sqlite'],
    edits: [{ file: 'src/http/envelope/envelope.interceptor.ts', find: '    answer.free?.();\n', replace: '' }],
  },
  {
    name: 'one-write',
    title: 'head and small body in one write',
    loads: ['single'],
    edits: [
      {
        file: ADAPTER,
        find: "    response.write(reply.body.toString('latin1'), 'latin1');\n    response.socket?.uncork();\n    response.end();\n",
        replace: '    response.end(reply.body);\n',
      },
    ],
  },
  {
    name: 'counting-flag',
    title: 'requests in flight flagged, not kept in a set',
    edits: [
      {
        file: IN_FLIGHT,
        find: 'const POLL_MS = 50;',
        replace: 'const POLL_MS = 50;\n\nconst responses = new Set<CountedResponse>();',
      },
      { file: IN_FLIGHT, find: 'response.isInFlight = true;', replace: 'responses.add(response);' },
      { file: IN_FLIGHT, find: 'if (response.isInFlight) {', replace: 'if (responses.has(response)) {' },
      { file: IN_FLIGHT, find: 'if (!response.isInFlight) return;', replace: 'if (!responses.has(response)) return;' },
      { file: IN_FLIGHT, find: 'response.isInFlight = false;', replace: 'responses.delete(response);' },
    ],
  },
  {
    name: 'xxhash',
    title: 'ETags by XXH64, not SHA-1',
    edits: [
      {
        file: ETAG,
        find: "import xxhash, { type XXHashAPI } from 'xxhash-wasm';",
        replace: "import { createHash } from 'node:crypto';\nimport xxhash, { type XXHashAPI } from 'xxhash-wasm';",
      },
      {
        file: ETAG,
        find: 'this.#digest(body).toString(16)',
        replace: "createHash('sha1').update(body).digest('base64')",
      },
    ],
  },
  {
    name: 'heap-growing',
    title: '`--heap-growing-percent`',
    edits: [
      {
        file: 'src/v8-flags.ts',
        find: "setFlagsFromString('--heap-growing-percent=60');",
        replace: 'void setFlagsFromString;',
      },
    ],
  },
  {
    name: 'group-commit',
    title: 'usage records by group commit',
    edits: [
      {
        file: RECORDER,
        find:
          '    const recording = this.#collecting.add(record, allowance);\n' +
          '    if (this.#writing === null) this.#startSoon();\n',
        replace:
          '    const batch = new RecordBatch();\n    const recording = batch.add(record, allowance);\n' +
          '    void this.#write(batch).then(({ verdict, result }) => batch.resolve(verdict, result.byRecord));\n',
      },
    ],
  },
  {
    name: 'group-delay',
    title: 'a group collects for 4 to 16 ms',
    edits: [
      { file: RECORDER, find: 'MIN_GROUP_DELAY_MS = 4', replace: 'MIN_GROUP_DELAY_MS = 0' },
      { file: RECORDER, find: 'MAX_GROUP_DELAY_MS = 16', replace: 'MAX_GROUP_DELAY_MS = 0' },
    ],
  },
  {
    name: 'message-writer',
    title: 'a group of records in one message',
    engines: ['mysql'],
    edits: [{ file: MYSQL, find: 'Transaction: MysqlMessageWriter', replace: 'Transaction: MysqlWriter' }],
  },
  {
    name: 'cached-bitmaps',
    title: 'bitmaps of frequent prefixes cached',
    loads: ['search'],
    edits: [
      {
        file: 'src/features/games/name-index.ts',
        find: 'this.#cachedBitmaps.set(text, bitmap);',
        replace: 'void text;',
      },
    ],
  },
];

/**
 * Applies a switch's edits.
 * @param {Switch} change @param {(file: string) => string} read returns a source file's text
 * @returns {Map<string, string>} the edited files
 * @throws Error naming each edit that no longer fits the source
 */
export function edited({ name, edits }, read) {
  /** @type {Map<string, string>} */
  const files = new Map();
  const misfits = [];
  for (const { file, find, replace } of edits) {
    const pieces = (files.get(file) ?? read(file)).split(find);
    if (pieces.length === 2) files.set(file, pieces.join(replace));
    else misfits.push(`${file} has ${pieces.length - 1} times, not once: ${JSON.stringify(find)}`);
  }
  if (misfits.length > 0)
    throw new Error(`bench/ablation/switches.mjs, switch "${name}", does not fit the source:\n${misfits.join('\n')}`);
  return files;
}
