import { USER_SECURITY } from '../../accounts/require-user.ts';
import { failures } from '../../contract/fault.ts';
import { PUBLIC_SECURITY } from './access.ts';

/** OpenAPI details that all metrics share. */

export const REFUSALS = failures(
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'SERVICE_UNAVAILABLE',
);

/** @param access `public`: answers without credentials when the website is public */
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
