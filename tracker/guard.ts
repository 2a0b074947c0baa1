import { isOn } from './settings.ts';

export const log = (...what: unknown[]): void => {
  if (isOn('debug', 'TRACKER_DEBUG')) console.log('[AnalyticsTracker]', ...what);
};

/** Runs what may throw: whatever goes wrong in the tracker stays in it. */
export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    log(error);
  }
}

/** The same function without its exceptions. */
export const guard =
  <Parameters extends unknown[]>(work: (...parameters: Parameters) => unknown) =>
  (...parameters: Parameters): void => {
    attempt(() => work(...parameters));
  };

/**
 * Listens at the window before anybody else, so that a page that stops its events is counted too. What is
 * fired at the document comes by here as well.
 */
export function listen<Name extends keyof DocumentEventMap | keyof WindowEventMap | 'prerenderingchange'>(
  name: Name,
  work: (event: (DocumentEventMap & WindowEventMap & { prerenderingchange: Event })[Name]) => unknown,
): void {
  // The cast: the compiler's list of the window's events leaves out the document's.
  addEventListener(name, guard(work) as EventListener, true);
}
