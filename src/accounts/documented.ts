import { failures } from '../contract/fault.ts';

/** What the OpenAPI details of accounts have in common. */

/** Of a route that looks at a password: as many may wait for a hash as its queue is long. */
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
