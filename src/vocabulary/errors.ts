import { ERROR_STATUS, type ErrorCode } from './contract.ts';

/** Messages for people, grouped by field; `formErrors` are about the whole input. */
export type FaultDetails = { formErrors: string[]; fieldErrors: Record<string, string[]> };

/**
 * An error that the caller can act on. Any other error is a bug, and is answered as INTERNAL_ERROR without its message.
 *
 * @param code    code of the closed list, which decides the status (see ERROR_STATUS)
 * @param message a sentence for people that says what is wrong; never a secret, SQL or a stack
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: FaultDetails | undefined;
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: FaultDetails; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Creates a 400 whose details name each faulty field and the reason. */
export function validationError(
  message: string,
  fieldErrors: Record<string, string[]>,
  formErrors: string[] = [],
): AppError {
  return new AppError('VALIDATION_ERROR', message, { details: { formErrors, fieldErrors } });
}

/** Creates a 503 that asks the caller to retry after `retryAfterS` seconds. */
export function unavailableError(message: string, retryAfterS: number): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': String(retryAfterS) } });
}
