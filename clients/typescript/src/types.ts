import type { AnswerDetails } from './answer.js';
import type { operations } from './generated/schema.js';

/** Platform of a record. */
export type Platform = operations['profiles.list']['parameters']['path']['platform'];

/** Names of the operations, such as `profiles.get`. */
export type OperationId = keyof operations;

/** A part of a request, or no members if the operation has no such part. */
type Part<T> = [NonNullable<T>] extends [never] ? object : NonNullable<T>;

type BodyIn<T> = NonNullable<T> extends { content: { 'application/json': infer Body } } ? Body : object;

/** Parameters of an operation: those of its path, its query and its body together. */
export type ParametersOf<Id extends OperationId> = Part<operations[Id]['parameters']['path']> &
  Part<operations[Id]['parameters']['query']> &
  BodyIn<operations[Id]['requestBody']>;

/** Body of a success. */
export type BodyOf<Id extends OperationId> = operations[Id]['responses'][200]['content']['application/json'];

/** A success: the members of its body, and its details. */
export type AnswerOf<Id extends OperationId> = BodyOf<Id> &
  AnswerDetails & {
    /** Pass the answer as `previous` to send its tag. */
    readonly etag: string | null;
    /** Whether the data is that of `previous` or of the cache, because the service says that it has not changed. */
    readonly notModified: boolean;
  };

/** A record of a list. */
export type RecordOf<Id extends OperationId> = BodyOf<Id> extends { payload: readonly (infer T)[] } ? T : never;

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, also while it waits for a retry. It then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Replaces the option of the client. */
  readonly timeoutMs?: number;
  /** Replaces the option of the client. */
  readonly maxRetries?: number;
}

/** Options of a call of one operation. */
export interface OptionsOf<Id extends OperationId> extends CallOptions {
  /** Earlier answer to the same request. While nothing has changed, the call returns its data and is free. */
  readonly previous?: AnswerOf<Id>;
}
