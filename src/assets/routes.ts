import { Elysia } from 'elysia';
import { TRACKER_PATH } from '../http/path.ts';
import { respondWithAsset } from './encoded.ts';
import { buildTrackerScript } from './tracker-script.ts';

const TRACKER_HEADERS = {
  // The name carries no hash: a short time in caches, then a question by ETag that costs no body.
  'cache-control': 'public, max-age=600, must-revalidate',
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
};

/** Serves the tracker, bundled in memory when the service starts. */
export function assetRoutes() {
  const tracker = buildTrackerScript();
  tracker.catch(() => {}); // told to whoever asks for it
  return new Elysia().get(
    TRACKER_PATH,
    async ({ request }) => respondWithAsset(request, await tracker, TRACKER_HEADERS),
    { detail: { tags: ['Tracker'], summary: 'The script that pages embed' } },
  );
}
