import { BATCH_PATH, EVENTS_PATH } from '../http/path.ts';
import type { Limits } from './limits.ts';

/**
 * Judges a request before its body is read. Files and pages have no limit: they come out of memory, for less than a
 * refusal costs; nor have those who ask how the service is.
 *
 * @returns headers for the answer, if there is something to say
 * @throws (when called) AppError RATE_LIMITED
 */
export function createAdmission(limits: Pick<Limits, 'collection' | 'api'>) {
  return function admit(
    request: Request,
    path: string,
    address: string | null,
  ): Record<string, string> | undefined {
    if ((path === EVENTS_PATH || path === BATCH_PATH) && request.method === 'POST') {
      limits.collection(address);
      return undefined;
    }
    return path.startsWith('/api/') && !WITHOUT_LIMIT.has(path) ? limits.api(address) : undefined;
  };
}

const WITHOUT_LIMIT = new Set(['/api/ping', '/api/health']);
