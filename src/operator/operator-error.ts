/** What went wrong, for programs that read `--json`. */
export type ErrorCode =
  | 'invalid_arguments'
  | 'invalid_setting'
  | 'invalid_file'
  | 'not_found'
  | 'confirmation_needed'
  | 'unavailable'
  | 'failed';

/** A failure that its message explains to people: one line that says what to do next. */
export class OperatorError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}
