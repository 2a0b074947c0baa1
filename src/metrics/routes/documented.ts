import { USER_SECURITY } from '../../accounts/require-user.ts';
import { failures } from '../../contract/fault.ts';
import { PUBLIC_SECURITY } from './access.ts';

/** What the OpenAPI details of metrics have in common. */

export const REFUSALS = failures(
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'SERVICE_UNAVAILABLE',
);

/** @param access `public`: a website with isPublic answers without credentials */
export function describe(
  operationId: string,
  summary: string,
  description: string,
  access: 'public' | 'owner' = 'public',
) {
  const isPublic = access === 'public';
  return {
    tags: ['Metrics'],
    operationId,
    summary,
    description: isPublic ? `${description} A public website answers without credentials.` : description,
    security: isPublic ? PUBLIC_SECURITY : USER_SECURITY,
  };
}
