import { AppError, validationError } from '../vocabulary/errors.ts';

/** A 401. RFC 9110, 11.6.1: it names the scheme that would be accepted. */
export function unauthorizedError(message: string): AppError {
  return new AppError('UNAUTHORIZED', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

export function unknownKeyError(): AppError {
  return unauthorizedError('The API key is unknown or has expired');
}

export function inactiveError(): AppError {
  return new AppError('FORBIDDEN', 'Account is inactive');
}

export function userNotFoundError(): AppError {
  return new AppError('NOT_FOUND', 'User not found');
}

export function closedError(): AppError {
  return new AppError('FORBIDDEN', 'Registration is closed');
}

export function codeNeededError(): AppError {
  return new AppError(
    'FORBIDDEN',
    'Registration is closed: the first account needs setupCode, the code that the server printed at its last start',
  );
}

export function wrongCodeError(): AppError {
  return validationError('Invalid request data', {
    setupCode: ['This is not the code that the server printed at its last start'],
  });
}

export function takenError(): AppError {
  return new AppError('CONFLICT', 'Email already registered');
}
