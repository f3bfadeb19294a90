/** Error codes of the output of `--json`. */
export type CommandErrorCode =
  | 'invalid_arguments'
  | 'invalid_setting'
  | 'invalid_file'
  | 'not_found'
  | 'confirmation_needed'
  | 'unavailable'
  | 'failed';

/** An error whose message is one line for operators: the problem and how to solve it. */
export class OperatorError extends Error {
  constructor(
    readonly code: CommandErrorCode,
    message: string,
  ) {
    super(message);
  }
}
