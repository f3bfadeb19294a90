import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anAnswer, type CreatorData } from './answers.js';
import { USAGE, type ChatRequest } from './chat-server.js';

/** Returns the cost of answers at half the price. */
export const costOf = (answers: number): number =>
  (answers * (USAGE.prompt_tokens + USAGE.completion_tokens)) / 2 / 1e6;

/** A request of a batch. */
export interface BatchedRequest {
  readonly custom_id: string;
  readonly body: ChatRequest;
  readonly data: CreatorData;
}

/** Result of a request as the endpoint writes it. */
export interface BatchedResult {
  readonly custom_id: string;
  readonly response: { readonly status_code: number; readonly body: object };
}

interface StoredBatch {
  readonly id: string;
  status: string;
  readonly input_file_id: string;
  output_file_id: string | null;
  errors?: object;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A server that plays the batch files of an endpoint. A batch ends when it was looked at `looks` times. */
export class BatchServer {
  readonly batches: StoredBatch[] = [];
  readonly requests: BatchedRequest[] = [];
  /** How often a batch is looked at before it ends. */
  looks = 1;
  /** Whether the reply that names a new batch is lost. */
  losesNextBatch = false;
  /** A text is sent as it is, anything else as JSON. */
  answer = ({ data }: BatchedRequest): unknown => anAnswer(data);
  /** Writes the lines of a request into the file of results. */
  lines = (result: BatchedResult, _request: BatchedRequest): string[] => [JSON.stringify(result)];
  /** How a batch ends: a status, or `completed without a file`. */
  end = 'completed';
  /** Returns why the file of a batch is rejected; null if it is not. */
  rejectFile = (_body: ChatRequest): string | null => null;
  /** Batches of other programs that were created later; each is a page of the list. */
  othersBatches = 0;
  /** Answers a request, such as `POST /v1/files`, in another way than the server would; null: as it would; `hangs`: never. */
  intercept = (_request: string): { readonly status: number; readonly body?: object } | 'hangs' | null => null;
  /** Requests such as `POST /v1/files`. */
  readonly seen: string[] = [];
  readonly #files = new Map<string, string>();
  #looked = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<BatchServer> {
    const server = createServer();
    const batches = new BatchServer(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const what = `${request.method} ${request.url}`;
        batches.seen.push(what);
        const other = batches.intercept(what);
        if (other === 'hangs') return;
        if (other !== null) {
          response.writeHead(other.status).end(JSON.stringify(other.body ?? { error: { message: 'no' } }));
          return;
        }
        const result = batches.#handle(what, Buffer.concat(chunks).toString());
        if (result === null) response.destroy();
        else response.writeHead(200).end(typeof result === 'string' ? result : JSON.stringify(result));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return batches;
  }

  get settings(): Record<string, string> {
    return {
      ENRICH_BASE_URL: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`,
      ENRICH_MODEL: 'test-model',
      ENRICH_INPUT_PRICE: '1',
      ENRICH_OUTPUT_PRICE: '1',
    };
  }

  reset(): void {
    this.batches.length = 0;
    this.requests.length = 0;
    this.seen.length = 0;
    this.#looked = 0;
    Object.assign(this, {
      looks: 1,
      losesNextBatch: false,
      answer: ({ data }: BatchedRequest) => anAnswer(data),
      lines: (result: BatchedResult) => [JSON.stringify(result)],
      end: 'completed',
      rejectFile: () => null,
      othersBatches: 0,
      intercept: () => null,
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #handle(what: string, text: string): unknown {
    if (what === 'POST /v1/files') return this.#storeFile(text);
    if (what === 'POST /v1/batches') return this.#create(text);
    if (what.startsWith('GET /v1/batches?')) return this.#list(Number(/after=other-(\d+)/.exec(what)?.[1] ?? 0));
    const [, id = ''] = /^GET \/v1\/batches\/(.+)$/.exec(what) ?? [];
    if (id !== '') return this.#look(id);
    const [, file = ''] = /^GET \/v1\/files\/(.+)\/content$/.exec(what) ?? [];
    return this.#files.get(file) ?? { error: what };
  }

  #storeFile(text: string): object {
    const id = `file-${this.#files.size}`;
    this.#files.set(id, text.split('\r\n').find((line) => line.startsWith('{')) ?? '');
    return { id };
  }

  #create(text: string): object | null {
    const { input_file_id, metadata } = JSON.parse(text) as StoredBatch;
    const id = `batch-${Date.now()}-${this.batches.length}`;
    const batch = { id, status: 'in_progress', input_file_id, output_file_id: null, metadata };
    this.batches.push(batch);
    if (!this.losesNextBatch) return batch;
    this.losesNextBatch = false;
    return null;
  }

  /** Lists a page: batches of others come first. */
  #list(page: number): object {
    if (page === this.othersBatches) return { data: this.batches, has_more: false };
    return { data: [{ id: `other-${page + 1}`, status: 'completed' }], has_more: true };
  }

  #look(id: string): object {
    const batch = this.batches.find((each) => each.id === id);
    if (batch === undefined) return { error: 'no such batch' };
    this.#looked += 1;
    if (batch.status === 'in_progress' && this.#looked >= this.looks) this.#complete(batch);
    return batch;
  }

  #complete(batch: StoredBatch): void {
    const lines = (this.#files.get(batch.input_file_id) ?? '').split('\n').filter((line) => line !== '');
    const [first] = lines.map((line) => (JSON.parse(line) as BatchedRequest).body);
    const rejection = first === undefined ? null : this.rejectFile(first);
    if (rejection !== null) {
      Object.assign(batch, { status: 'failed', errors: { data: [{ message: rejection }] } });
      return;
    }
    const results = lines.flatMap((line) => {
      const { custom_id, body } = JSON.parse(line) as BatchedRequest;
      const data = JSON.parse(
        /<creator_data>\n(.*)\n<\/creator_data>/.exec(body.messages[1]?.content ?? '')?.[1] ?? 'null',
      ) as CreatorData;
      const request = { custom_id, body, data };
      this.requests.push(request);
      const answer = this.answer(request);
      const content = typeof answer === 'string' ? answer : JSON.stringify(answer);
      const reply = { choices: [{ finish_reason: 'stop', message: { content } }], usage: USAGE };
      return this.lines({ custom_id, response: { status_code: 200, body: reply } }, request);
    });
    if (this.end === 'completed without a file') {
      batch.status = 'completed';
      return;
    }
    const id = `file-${this.#files.size}`;
    this.#files.set(id, results.join('\n'));
    batch.output_file_id = id;
    batch.status = this.end;
  }
}
