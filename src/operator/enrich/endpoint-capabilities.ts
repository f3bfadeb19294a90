import { ANSWER_FORMATS, type AnswerFormat, type Dialogue, type LimitName } from './request-body.js';

/** The part of a request that not every endpoint accepts. */
export type Features = Pick<Dialogue, 'format' | 'limitName'>;

/**
 * What a rejected request means. `retry`: the endpoint may accept other features. `input`: it accepts these, but never this input. `unsupported`:
 * it accepts none.
 */
export type RejectionKind = 'retry' | 'input' | 'unsupported';

/** Finds out by the rejections of an endpoint what it supports, best first. */
export class EndpointCapabilities {
  #format: AnswerFormat = ANSWER_FORMATS[0];
  #limitName: LimitName = 'max_tokens';
  /** Whether the endpoint has answered in the current format. */
  #isConfirmed = false;

  get features(): Features {
    return { format: this.#format, limitName: this.#limitName };
  }

  /** Keeps the format of a request that was answered. */
  confirm({ format }: Features): void {
    this.#isConfirmed ||= format === this.#format;
  }

  /** Learns from the rejection of a request. @param used features of the request @param message reason of the endpoint */
  reject(used: Features, message: string): RejectionKind {
    if (used.limitName !== this.#limitName || used.format !== this.#format) return 'retry';
    if (used.limitName === 'max_tokens' && message.includes('max_completion_tokens')) {
      this.#limitName = 'max_completion_tokens';
      return 'retry';
    }
    if (this.#isConfirmed) return 'input';
    const next = ANSWER_FORMATS[ANSWER_FORMATS.indexOf(used.format) + 1];
    this.#format = next ?? ANSWER_FORMATS[0];
    return next === undefined ? 'unsupported' : 'retry';
  }
}
