import { failures } from '../../contract/fault.ts';
import type { OperationId } from '../../vocabulary/rights.ts';

/** OpenAPI details that all metrics share. */

export const REFUSALS = failures(
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'SERVICE_UNAVAILABLE',
);

export function describe(operationId: OperationId, summary: string, description: string) {
  return { tags: ['Metrics'], operationId, summary, description };
}
