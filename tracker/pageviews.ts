import { isReady } from './consent.ts';
import { attribute, findInDocument } from './dom.ts';
import { record, release, setReferrer } from './events.ts';
import { listen } from './guard.ts';
import type { EventProperties } from './index.d.ts';
import { here, isAuto, isOn } from './settings.ts';

/** The address at the last look; empty before the first view. */
let seen = '';
let isNavigation = false;

/** Records a view of the current page. Where it came from is the page before; for the first, what the browser says. */
export const view = (properties?: EventProperties): void => {
  if (seen && seen !== here()) setReferrer(seen);
  seen = here();
  record('pageview', properties);
  // `<meta name="pm-event" content="404">` says what a page is, besides its view.
  const said = findInDocument('meta[name=pm-event]');
  said && record(attribute(said, 'content') ?? '');
};

/** Records the first view, as soon as it may be. */
export const start = (): void => {
  release();
  if (!seen && isAuto() && isReady()) view();
};

// Filters and sort orders are written with replaceState: there only another path is another page.
const place = (url: string) =>
  url.replace(isNavigation ? '' : /\?[^#]*/, '').replace(isOn('hash') ? '' : /#.*/, '');

/** Records a view when the page is another one than at the last look. */
export const look = (): void => {
  if (seen && isAuto()) {
    if (place(here()) !== place(seen)) view();
    seen = here();
  }
  isNavigation = false;
};

// An application may change its address several times in a row: the look comes when it has settled, in a task
// of its own. Further looks find nothing new.
const lookLater = (isNavigating: boolean): void => {
  isNavigation ||= isNavigating;
  setTimeout(look);
};

/** Watches the page's navigation. The page gets the browser's own results and errors. */
export const watchNavigation = (): void => {
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name];
    history[name] = function (this: History, ...parameters) {
      const result = original.apply(this, parameters);
      lookLater(name === 'pushState');
      return result;
    };
  }
  listen('popstate', () => lookLater(true));
  // Applications that navigate by the browser's Navigation API call nothing of the above.
  listen(
    'currententrychange',
    ({ navigationType }) => lookLater(navigationType !== 'replace'),
    window.navigation,
  );
};
