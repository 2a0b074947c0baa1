import type { TrackerOptions } from './index.d.ts';

/** What pages put on their window has no type here. */
export const globals = window as unknown as Record<string, unknown>;

// The document does not know the script of a module; by its attribute it can still be found. The cast: a
// script of an SVG has neither `src` nor, as a tracker, any use.
const script = (document.currentScript ??
  document.querySelector('[data-tracking-code]')) as HTMLScriptElement | null;

/** The page's address now. */
export const here = () => location.href;

/** Where the script came from; the page's own address when that cannot be told. */
export const scriptUrl = script?.src || here();

const parameters = new URL(scriptUrl).searchParams;

/** What `init()` was given. */
export const options: TrackerOptions = {};

/**
 * A setting, from what wins to what loses (D36): `init()`, the script's attribute (`data-api-url` for apiUrl),
 * the window variable, the parameter in the script's address, which survives tag managers that strip attributes.
 */
export const setting = (name: keyof TrackerOptions, variable = '', parameter: string = name): unknown =>
  options[name] ?? script?.dataset[name] ?? globals[variable] ?? parameters.get(parameter);

/** A setting that is on or off. An attribute without a value says on. */
export const isOn = (name: keyof TrackerOptions, variable?: string, fallback = false): boolean =>
  !/^(false|0)$/.test(`${setting(name, variable) ?? fallback}`);

// A string, if the page keeps to the types.
export const trackingCode = () => setting('trackingCode', 'TRACKER_CODE', 'code') as string;
export const isAuto = () => isOn('auto', '', true);
