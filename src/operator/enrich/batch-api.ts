import * as z from 'zod';
import { OperatorError } from '../operator-error.js';
import type { ChatEndpoint } from './chat-endpoint.js';
import { parseJson, readError, parseChatReply, type ChatReply } from './chat-reply.js';

const batchSchema = z.object({
  id: z.string(),
  status: z.string(),
  output_file_id: z.string().nullish(),
  error_file_id: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  errors: z.object({ data: z.array(z.object({ message: z.string().nullish() })).nullish() }).nullish(),
});

/** A batch as the endpoint describes it. */
export type Batch = z.output<typeof batchSchema>;

const batchPageSchema = z.object({ data: z.array(batchSchema), has_more: z.boolean().nullish() });

const resultSchema = z.object({
  custom_id: z.string(),
  response: z.object({ status_code: z.number(), body: z.unknown().optional() }).nullish(),
  error: z.unknown().optional(),
});

/** Result of one request of a batch: an answer, or why there is none. */
export interface BatchReply {
  readonly hash: string;
  readonly reply: ChatReply | null;
  readonly reason: string;
  /** Whether the endpoint rejects the request as it is. */
  readonly isRejected: boolean;
}

/** Results of a batch. */
export interface BatchResults {
  readonly results: readonly BatchReply[];
  /** Lines that are no result. What they cost is not known. */
  readonly unreadable: number;
}

/** States in which a batch does not change any more. */
const ENDED = new Set(['completed', 'failed', 'expired', 'cancelled']);

export const hasEnded = ({ status }: Batch): boolean => ENDED.has(status);

/** Member of a batch's metadata by which it is found again if a kill came before its ID was stored. */
const MARKER = 'creator_data';

/** Maximum length of a file of results. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Attempts of a request that fails for the moment. */
const MAX_ATTEMPTS = 5;

/** Batch files of an endpoint: requests that it answers within a day, at half the price. */
export class BatchApi {
  constructor(
    private readonly endpoint: ChatEndpoint,
    private readonly host: string,
    private readonly wait: (attempt: number) => Promise<unknown>,
  ) {}

  /** Creates a batch of requests. @param lines JSON of each request */
  async create(lines: readonly string[], marker: string): Promise<Batch> {
    const form = new FormData();
    form.set('purpose', 'batch');
    form.set('file', new Blob([`${lines.join('\n')}\n`], { type: 'application/jsonl' }), 'requests.jsonl');
    const file = await this.#send(z.object({ id: z.string() }), '/files', { method: 'POST', body: form });
    const body = JSON.stringify({
      input_file_id: file.id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
      metadata: { [MARKER]: marker },
    });
    // Not again after a loss: the batch may exist.
    const headers = { 'content-type': 'application/json' };
    return this.#send(batchSchema, '/batches', { method: 'POST', body, headers }, 1);
  }

  async get(id: string): Promise<Batch> {
    return this.#send(batchSchema, `/batches/${encodeURIComponent(id)}`, {});
  }

  /** Finds the batch of a marker. Other programs may have created batches since. */
  async find(marker: string): Promise<Batch | null> {
    for (let after = ''; ;) {
      const page = await this.#send(batchPageSchema, `/batches?limit=100${after}`, {});
      const found = page.data.find(({ metadata }) => metadata?.[MARKER] === marker);
      const last = page.data.at(-1);
      if (found !== undefined || last === undefined || page.has_more !== true) return found ?? null;
      after = `&after=${encodeURIComponent(last.id)}`;
    }
  }

  /** Reads the results of a batch. Requests that the endpoint did not answer may be missing. */
  async readResults({ output_file_id, error_file_id }: Batch): Promise<BatchResults> {
    const results: BatchReply[] = [];
    let unreadable = 0;
    for (const id of [output_file_id, error_file_id]) {
      if (!id) continue;
      const text = await this.#sendForText(`/files/${encodeURIComponent(id)}/content`, {});
      for (const line of text.split('\n')) {
        const result = readResult(line);
        if (result !== null) results.push(result);
        else if (line.trim() !== '') unreadable += 1;
      }
    }
    return { results, unreadable };
  }

  /** @throws OperatorError if the endpoint does not answer in the shape of the schema */
  async #send<T>(schema: z.ZodType<T>, path: string, init: RequestInit, attempts?: number): Promise<T> {
    const parsed = schema.safeParse(parseJson(await this.#sendForText(path, init, attempts)));
    if (parsed.success) return parsed.data;
    throw this.#unusable(`its answer to ${path.split('?')[0]} has another shape`);
  }

  /** @throws OperatorError if the endpoint does not answer, or has no batches */
  async #sendForText(path: string, init: RequestInit, attempts = MAX_ATTEMPTS): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.endpoint.send(path, init, (text) => ({ kind: 'text' as const, text }), MAX_FILE_BYTES);
      if (outcome.kind === 'text') return outcome.text;
      const isTransient = outcome.kind !== 'rejected' || outcome.status === 429;
      if (!isTransient || attempt === attempts) {
        throw this.#unusable(
          outcome.kind === 'rejected' ? `status ${outcome.status}: ${outcome.error.message}` : outcome.reason,
        );
      }
      await this.wait(attempt);
    }
  }

  #unusable(reason: string): OperatorError {
    return new OperatorError(
      'unavailable',
      `${this.host} cannot work on batches (${reason}): run the same command again, or leave out --batch`,
    );
  }
}

/** @returns null if the line is no result */
function readResult(line: string): BatchReply | null {
  const parsed = resultSchema.safeParse(parseJson(line));
  if (!parsed.success) return null;
  const { custom_id: hash, response, error } = parsed.data;
  const status = response?.status_code;
  if (response && status === 200) {
    return { hash, reply: parseChatReply(JSON.stringify(response.body ?? null)), reason: '', isRejected: false };
  }
  const { message } = readError(JSON.stringify(response?.body ?? { error: error ?? '' }));
  const reason = `${status === undefined ? 'no answer' : `status ${status}`}${message === '' ? '' : `: ${message}`}`;
  return { hash, reply: null, reason, isRejected: status === 400 || status === 422 };
}
