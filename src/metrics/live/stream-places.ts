import { STREAMS_PER_ACCOUNT_MAX, STREAMS_PER_ADDRESS_MAX } from '../../vocabulary/contract.ts';
import { AppError, unavailableError } from '../../vocabulary/errors.ts';

/** Viewer of a stream: the account that owns the website, or a client's address on a public one (null: unknown). */
export type Viewer = { account: string } | { address: string | null };

const RETRY_S = 30;

/** Share of the places reserved for viewers without a stream: ten addresses and five accounts could take all of them. */
const KEPT_SHARE = 1 / 4;

/**
 * Limits live streams: in total, to half of the total for callers without credentials, and per viewer. The last quarter of
 * either is reserved for viewers without a stream.
 */
export function createStreamPlaces(placesMax: number) {
  /** Streams of each viewer. */
  const taken = new Map<string, number>();
  let count = 0;
  let anonymousCount = 0;

  function add(viewer: Viewer, change: 1 | -1): void {
    const key = keyOf(viewer);
    const own = (taken.get(key) ?? 0) + change;
    if (own > 0) taken.set(key, own);
    else taken.delete(key);
    count += change;
    if ('address' in viewer) anonymousCount += change;
  }

  /** @throws AppError RATE_LIMITED */
  function requireOwnPlace(viewer: Viewer): void {
    if ('address' in viewer && viewer.address === null) return;
    const [name, max] =
      'account' in viewer ? ['account', STREAMS_PER_ACCOUNT_MAX] : ['address', STREAMS_PER_ADDRESS_MAX];
    if ((taken.get(keyOf(viewer)) ?? 0) < max) return;
    throw new AppError('RATE_LIMITED', `This ${name} has ${max} live streams open already; close one`, {
      headers: { 'Retry-After': String(RETRY_S) },
    });
  }

  return {
    count: () => count,

    /**
     * Takes a place.
     *
     * @returns a function that frees the place; repeated calls have no effect
     * @throws AppError RATE_LIMITED when the viewer has too many, SERVICE_UNAVAILABLE when there are too many in total
     */
    take(viewer: Viewer): () => void {
      requireOwnPlace(viewer);
      const share = taken.has(keyOf(viewer)) ? 1 - KEPT_SHARE : 1;
      const isFull = count >= placesMax * share;
      const isFullForStrangers = 'address' in viewer && anonymousCount >= (placesMax / 2) * share;
      if (isFull || isFullForStrangers) throw tooManyStreamsError();
      let isTaken = true;
      add(viewer, 1);
      return () => {
        if (isTaken) add(viewer, -1);
        isTaken = false;
      };
    },
  };
}

export function tooManyStreamsError(): AppError {
  return unavailableError('There are too many live streams at the moment', RETRY_S);
}

function keyOf(viewer: Viewer): string {
  return 'account' in viewer ? `account ${viewer.account}` : `address ${viewer.address}`;
}
