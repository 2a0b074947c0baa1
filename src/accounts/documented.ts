import { failures } from '../contract/fault.ts';

/** Shared parts of the OpenAPI details of account routes. */

/** Refusals of routes that check a password; 503 when the queue for hashing is full. */
export const PASSWORD_REFUSALS = failures(
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'UNSUPPORTED_MEDIA_TYPE',
  'SERVICE_UNAVAILABLE',
);

/** @param security absent: the route is open */
export function describe(
  operationId: string,
  summary: string,
  description: string,
  security?: Record<string, string[]>[],
) {
  return { tags: ['Accounts'], operationId, summary, description, ...(security && { security }) };
}
