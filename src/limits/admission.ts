import { PIXEL_PATH } from '../http/path.ts';
import type { IpAddress } from '../network/ip-address.ts';
import { COMPATIBLE_PATHS } from '../vocabulary/compatible.ts';
import { unavailableError } from '../vocabulary/errors.ts';
import type { Limits } from './limits.ts';

/**
 * Judges a request before its body is read. Files and pages have no limit: they come out of memory, for less than a
 * refusal costs; nor have those who ask how the service is.
 *
 * @returns headers for the answer, if there is something to say
 * @throws (when called) AppError RATE_LIMITED, or SERVICE_UNAVAILABLE for a change that could not be kept
 */
export function createAdmission(
  limits: Pick<Limits, 'collection' | 'api'>,
  condition: { isFileGone: boolean },
  collectionPaths: ReadonlySet<string>,
) {
  return function admit(
    request: Request,
    path: string,
    address: IpAddress | null,
  ): Record<string, string> | undefined {
    const { method } = request;
    if (condition.isFileGone && method !== 'GET' && method !== 'HEAD')
      throw unavailableError('The database file is gone; nothing can be stored', GONE_RETRY_S);
    const isImage = path === PIXEL_PATH || path === COMPATIBLE_PATHS.matomo;
    if (isImage || (collectionPaths.has(path) && method === 'POST')) {
      limits.collection(address);
      return undefined;
    }
    const isLimited = path.startsWith('/api/') || path.startsWith('/share/'); // a share token may be guessed
    return isLimited && !WITHOUT_LIMIT.has(path) ? limits.api(address) : undefined;
  };
}

const GONE_RETRY_S = 30;
const WITHOUT_LIMIT = new Set(['/api/ping', '/api/health']);
