import { isOn } from './settings.ts';

export const log = (...what: unknown[]): void => {
  if (isOn('debug')) console.log('[AnalyticsTracker]', ...what);
};

/** Runs what may throw: whatever goes wrong in the tracker stays in it. */
export const attempt = <Result>(work: () => Result): Result | undefined => {
  try {
    return work();
  } catch (error) {
    log(error);
  }
};

/**
 * Listens at the window before anybody else, so that a page that stops its events is counted too. What is
 * fired at the document comes by here as well. A target that the browser does not have is never heard of.
 */
export const listen = <Name extends keyof Events>(
  name: Name,
  work: (event: Events[Name]) => unknown,
  target: EventTarget = window,
): void => target.addEventListener(name, (event) => attempt(() => work(event as Events[Name])), true);

type Events = DocumentEventMap & WindowEventMap & NavigationEventMap & { prerenderingchange: Event };
