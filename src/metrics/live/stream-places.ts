import { STREAMS_PER_ACCOUNT_MAX, STREAMS_PER_ADDRESS_MAX } from '../../vocabulary/contract.ts';
import { AppError, unavailableError } from '../../vocabulary/errors.ts';

/** Who watches: the account that owns the website, or the address of a stranger on a public one (null: unknown). */
export type Viewer = { account: string } | { address: string | null };

const RETRY_S = 30;

/** Share of the places that is kept for viewers who have none: ten addresses and five accounts could take all of them. */
const KEPT_SHARE = 1 / 4;

/**
 * The places for live streams: those of all, half of them for callers without credentials, and those of each viewer. A
 * viewer who has one already gets none of the last quarter of either.
 */
export function createStreamPlaces(placesMax: number) {
  /** Of each viewer who has any. */
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
     * @returns gives the place back, however often it is called
     * @throws AppError RATE_LIMITED when the viewer has too many, SERVICE_UNAVAILABLE when there are too many of all
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
