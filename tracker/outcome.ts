const PAUSE_MAX_MS = 300_000;

/** Answer to a request; status 0 when nothing did. */
export type Answer = [status: number, body?: string, retryAfter?: string | null];

/**
 * The events of a chunk that have to be sent again: all when there was no answer, or one that says "not
 * now"; of a batch that was stored in part those that failed inside the server. What it refused it would
 * refuse again. A 207 that cannot be read throws: each event was judged, with unknown results.
 */
export const eventsToRepeat = (chunk: string[], [status, body]: Answer): string[] => {
  if (status !== 207) return status > 499 || [0, 408, 425, 429].includes(status) ? chunk : [];
  const errors: { index: number; error: string }[] = JSON.parse(body as string).errors;
  return errors.flatMap(({ index, error }) => (error === 'INTERNAL_ERROR' && chunk[index]) || []);
};

/**
 * How long to wait after so many failures in a row: 5 seconds, doubled each time, at most 5 minutes, of which
 * a random half keeps browsers from coming back all at once. `Retry-After`, seconds or a date, may lengthen it.
 */
export const pauseMs = (failures: number, [, , retryAfter]: Answer): number => {
  const growing = 1_250 * 2 ** failures * (1 + Math.random());
  // Without the header it is null or undefined: no number but 0, and no date.
  const asked = +(retryAfter as string) * 1_000 || Date.parse(retryAfter as string) - Date.now() || 0;
  return Math.min(PAUSE_MAX_MS, Math.max(growing, asked));
};
