import { findInDocument, ofDocument } from './dom.ts';
import type { TrackerOptions } from './index.d.ts';

/** The window, without types for what pages put on it. */
export type Globals = Record<string, unknown>;

/**
 * The document does not know the script of a module; by its attribute it can still be found. Markup that strangers write
 * may take the place of `document.currentScript`, or carry the attributes of a tag.
 */
const script = [ofDocument('currentScript'), findInDocument('script[data-tracking-code]')].find(
  (element) => element instanceof HTMLScriptElement,
);

/** The page's address now. */
export const here = () => location.href;

/** An address as it is sent: its fragment only where it is a route, and the tag asks for fragments. */
export const withoutFragment = (url: string) => url.replace(isOn('hash') ? /#(?!!?\/).*/ : /#.*/, '');

/**
 * Where the script came from. One that is imported learns it from the trace of an error, which every engine begins with
 * the place that it was made at; for one whose text stands in the page that is the page. Only a default for the
 * address of events follows from it, never a setting: a link to the page decides what is behind its question mark.
 */
export const scriptUrl = script?.src || (/https?:\S+|$/.exec(Error().stack as string)?.[0] as string);

const parameters = new URL(script?.src || 'x:').searchParams;

/** Options given to `init()`; without what a page adds to the prototype of all objects. */
export const options: TrackerOptions = Object.create(null);

/**
 * A setting, from what wins to what loses: `init()`, the script's attribute (`data-api-url` for apiUrl), the
 * variable of the window (`TRACKER_API`), the parameter in the script's address (`api`), which survives tag managers
 * that strip attributes.
 */
export const setting = (name: keyof TrackerOptions, short: string = name): unknown => {
  const variable = (window as unknown as Globals)[`TRACKER_${short.toUpperCase()}`];
  return (
    options[name] ??
    script?.dataset[name] ??
    // An element becomes a variable of the window by its id.
    (Object(variable) === variable ? undefined : variable) ??
    parameters.get(short)
  );
};

/** A setting that is on or off. An attribute without a value says on. */
export const isOn = (name: keyof TrackerOptions, fallback = false): boolean =>
  !/^(false|0)$/.test(`${setting(name) ?? fallback}`);

// A string, if the page keeps to the types.
export const trackingCode = () => setting('trackingCode', 'code') as string;
export const isAuto = () => isOn('auto', true);

/**
 * Whether the page, with its route where the tag asks for fragments, is one that the tag leaves out: `*` is any text
 * without a slash, `**` any text.
 */
export const isExcluded = (): boolean =>
  `${setting('exclude')}`.split(',').some((path) =>
    RegExp(
      `^${path
        .trim()
        .replace(/[^\w*]/g, '\\$&')
        .replace(/\*+/g, (stars) => (stars[1] ? '.*' : '[^/]*'))}$`,
    ).test(withoutFragment(here()).replace(/^.*?\/\/[^/]*|\?[^#]*/g, '')),
  );
