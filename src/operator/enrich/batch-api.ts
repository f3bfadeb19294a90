import * as z from 'zod';
import { OperatorError } from '../operator-error.js';
import type { CallOutcome, ChatEndpoint } from './chat-endpoint.js';
import { readCompletion, readError, type ChatReply } from './chat-reply.js';
import { parseJson } from './parse-json.js';
import type { Redaction } from './redaction.js';

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
  /** Files that the endpoint does not have any more. */
  readonly missingFiles: number;
}

/** A request that failed. */
export class BatchRequestError extends OperatorError {
  constructor(
    message: string,
    /** Whether the endpoint may have done what it was asked for. */
    readonly mayBeDone: boolean,
    /** Whether the endpoint does not have the batch or the file, or no batches at all. */
    readonly isGone: boolean,
  ) {
    super('unavailable', message);
  }
}

/** States in which a batch changes, and those in which it does not change any more. */
const IN_PROGRESS = new Set(['validating', 'in_progress', 'finalizing', 'cancelling']);
const ENDED = new Set(['completed', 'failed', 'expired', 'cancelled']);

/** Statuses for a batch, a file or a path that does not exist. */
const GONE = new Set([404, 405, 410]);

/** Pages of the list of batches that are read at most. */
const MAX_PAGES = 1000;

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

  /** Uploads the requests of a batch. @param lines JSON of each request @returns the ID of the file */
  async upload(lines: readonly string[]): Promise<string> {
    const form = new FormData();
    form.set('purpose', 'batch');
    form.set('file', new Blob([`${lines.join('\n')}\n`], { type: 'application/jsonl' }), 'requests.jsonl');
    return (await this.#send(z.object({ id: z.string() }), '/files', { method: 'POST', body: form })).id;
  }

  /** Creates a batch from its file. */
  async create(fileId: string, marker: string): Promise<Batch> {
    const body = JSON.stringify({
      input_file_id: fileId,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
      metadata: { [MARKER]: marker },
    });
    const headers = { 'content-type': 'application/json' };
    // Not again after a loss: the batch may exist.
    return this.#send(batchSchema, '/batches', { method: 'POST', body, headers }, { retriesLosses: false });
  }

  async get(id: string): Promise<Batch> {
    return this.#send(batchSchema, `/batches/${encodeURIComponent(id)}`, {});
  }

  /** Finds the batch of a marker. Other programs may have created batches since. @returns null also if the signal is aborted */
  async find(marker: string, signal: AbortSignal): Promise<Batch | null> {
    let after: string | null = null;
    for (let count = 0; count < MAX_PAGES && !signal.aborted; count += 1) {
      const from: string = after === null ? '' : `&after=${encodeURIComponent(after)}`;
      const page = await this.#send(batchPageSchema, `/batches?limit=100${from}`, {});
      const found = page.data.find(({ metadata }) => metadata?.[MARKER] === marker);
      const last = page.data.at(-1)?.id ?? null;
      // Some endpoints ignore `after`, and repeat the page.
      if (found !== undefined || last === null || last === after || page.has_more !== true) return found ?? null;
      after = last;
    }
    return null;
  }

  /** Reports whether a batch has ended. @throws OperatorError if its state is unknown */
  hasEnded({ status }: Batch): boolean {
    if (ENDED.has(status)) return true;
    if (IN_PROGRESS.has(status)) return false;
    throw new OperatorError(
      'failed',
      `${this.host} reports the unknown state ${JSON.stringify(this.#describe(status))} of a batch: ` +
        `it must be one of ${[...IN_PROGRESS, ...ENDED].join(', ')}`,
    );
  }

  /** Returns why the endpoint rejected the file of a batch. */
  failureOf({ errors }: Batch): string {
    return this.#describe(errors?.data?.[0]?.message ?? 'without a reason');
  }

  /** Reads the results of a batch. Requests that the endpoint did not answer may be missing. */
  async readResults({ output_file_id, error_file_id }: Batch): Promise<BatchResults> {
    const results: BatchReply[] = [];
    let [unreadable, missingFiles] = [0, 0];
    for (const id of [output_file_id, error_file_id]) {
      if (!id) continue;
      const text = await nullIfGone(this.#sendForText(`/files/${encodeURIComponent(id)}/content`, {}));
      if (text === null) missingFiles += 1;
      for (const line of text?.split('\n') ?? []) {
        const result = readResult(line, this.endpoint.redaction);
        if (result !== null) results.push(result);
        else if (line.trim() !== '') unreadable += 1;
      }
    }
    return { results, unreadable, missingFiles };
  }

  #describe(text: string): string {
    return this.endpoint.redaction.message(text).slice(0, 300).toWellFormed();
  }

  /** @throws BatchRequestError if the endpoint does not answer in the shape of the schema */
  async #send<T>(schema: z.ZodType<T>, path: string, init: RequestInit, retries?: Retries): Promise<T> {
    const parsed = schema.safeParse(parseJson(await this.#sendForText(path, init, retries)));
    if (parsed.success) return parsed.data;
    throw this.#unusable(`its answer to ${path.split('?')[0]} has another shape`, { kind: 'lost', reason: '' });
  }

  /** @throws BatchRequestError if the endpoint does not answer, or has no batches */
  async #sendForText(path: string, init: RequestInit, { retriesLosses } = RETRY_ALL): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.endpoint.send(path, init, (text) => ({ kind: 'text' as const, text }), MAX_FILE_BYTES);
      if (outcome.kind === 'text') return outcome.text;
      const isTransient = outcome.kind === 'lost' ? retriesLosses : outcome.kind === 'unsent' || outcome.status === 429;
      if (!isTransient || attempt === MAX_ATTEMPTS) {
        throw this.#unusable(
          outcome.kind === 'rejected' ? `status ${outcome.status}: ${outcome.error.message}` : outcome.reason,
          outcome,
        );
      }
      await this.wait(attempt);
    }
  }

  #unusable(reason: string, outcome: Failure): BatchRequestError {
    // A batch that may exist can only be continued.
    const alternative = outcome.kind === 'lost' ? '' : ', or leave out --batch';
    return new BatchRequestError(
      `${this.host} cannot work on batches (${reason}): run the same command again${alternative}`,
      outcome.kind === 'lost',
      outcome.kind === 'rejected' && GONE.has(outcome.status),
    );
  }
}

type Failure = Exclude<CallOutcome, { kind: 'reply' }>;

/** Whether a request is repeated that the endpoint may have done. */
interface Retries {
  readonly retriesLosses: boolean;
}

const RETRY_ALL: Retries = { retriesLosses: true };

/** Returns null instead of a result that the endpoint does not have any more. */
export async function nullIfGone<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof BatchRequestError && error.isGone) return null;
    throw error;
  }
}

/** @returns null if the line is no result */
function readResult(line: string, redaction: Redaction): BatchReply | null {
  const parsed = resultSchema.safeParse(parseJson(line));
  if (!parsed.success) return null;
  const { custom_id: hash, response, error } = parsed.data;
  const status = response?.status_code;
  if (response && status === 200) {
    return { hash, reply: readCompletion(response.body ?? null, redaction), reason: '', isRejected: false };
  }
  const { message } = readError(JSON.stringify(response?.body ?? { error: error ?? '' }), redaction);
  const reason = `${status === undefined ? 'no answer' : `status ${status}`}${message === '' ? '' : `: ${message}`}`;
  return { hash, reply: null, reason, isRejected: status === 400 || status === 422 };
}
