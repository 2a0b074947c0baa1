import { AppError, validationError } from '../vocabulary/errors.ts';

export function payloadTooLargeError(limitBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body must be at most ${limitBytes} bytes`);
}

export function unreadableBodyError(format: 'JSON' | 'gzip'): AppError {
  const sentence = `The body is not readable ${format}`;
  return validationError(sentence, {}, [sentence]);
}
