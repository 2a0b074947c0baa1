import { failures } from '../contract/fault.ts';
import type { OperationId } from '../vocabulary/rights.ts';

/** Shared parts of the OpenAPI details of account routes. */

/** Refusals of routes that check a password; 503 when the queue for hashing is full. */
export const PASSWORD_REFUSALS = failures(
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'UNSUPPORTED_MEDIA_TYPE',
  'SERVICE_UNAVAILABLE',
);

export function describe(operationId: OperationId, summary: string, description: string) {
  return { tags: ['Accounts'], operationId, summary, description };
}
