import { ERROR_STATUS, type ErrorCode } from './contract.ts';

/** Messages for people, gathered by the field they speak of; `formErrors` are about the whole input. */
export type FaultDetails = { formErrors: string[]; fieldErrors: Record<string, string[]> };

/**
 * A failure that the caller can act on. Everything else that is thrown is a bug and is answered as
 * INTERNAL_ERROR without its message.
 *
 * @param code    one of the closed list; decides the status (see ERROR_STATUS)
 * @param message a sentence for people: what is wrong; never a secret, SQL or a stack
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

/** A 400 whose details name each faulty field and the reason. */
export function validationError(
  message: string,
  fieldErrors: Record<string, string[]>,
  formErrors: string[] = [],
): AppError {
  return new AppError('VALIDATION_ERROR', message, { details: { formErrors, fieldErrors } });
}

/** A 503 that asks the caller to come back after `retryAfterS` seconds. */
export function unavailableError(message: string, retryAfterS: number): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': String(retryAfterS) } });
}
