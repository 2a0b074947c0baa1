import { useEffect, useState } from 'preact/hooks';
import { toHref, withoutBase } from './base-path.ts';

/**
 * The address is the state of the page: what is shown follows from it alone, so that back, reload, a bookmark and a
 * shared link show the same.
 */

type Listener = () => void;
const listeners = new Set<Listener>();
/** Address of the page that is shown. */
let shown = '';
const notify = () => {
  shown = currentAddress();
  for (const listener of [...listeners]) listener();
};

/** Path and query of the current address. */
export function currentAddress(): string {
  return withoutBase(location.pathname) + location.search;
}

/** Navigates to an address of this application. `replace` adds no history entry. */
export function navigate(address: string, { replace = false } = {}): void {
  const from = currentAddress();
  if (address === from || !mayLeave()) return;
  if (replace) history.replaceState(history.state, '', toHref(address));
  else history.pushState({ from }, '', toHref(address));
  notify();
}

/** Returns to the address that this one was opened from: a step back if it was, or else in place of this one. */
export function returnTo(address: string): void {
  if (history.state?.from === address) history.back();
  else navigate(address, { replace: true });
}

/** Asks before the page is left while `hasUnsaved` is true. @returns ends the guard */
export function guardLeaving(hasUnsaved: () => boolean): () => void {
  const warn = (event: BeforeUnloadEvent) => {
    if (hasUnsaved()) event.preventDefault();
  };
  guards.add(hasUnsaved);
  addEventListener('beforeunload', warn);
  return () => {
    guards.delete(hasUnsaved);
    removeEventListener('beforeunload', warn);
  };
}
const guards = new Set<() => boolean>();

function mayLeave(): boolean {
  const hasUnsaved = [...guards].some((guard) => guard());
  return !hasUnsaved || confirm('Leave without saving your changes?');
}

/** The address; renders again when it changes. */
export function useAddress(): string {
  const [address, setAddress] = useState(currentAddress);
  useEffect(() => {
    const follow = () => setAddress(currentAddress());
    if (listeners.size === 0) addEventListener('popstate', followHistory);
    listeners.add(follow);
    notify(); // it may have changed between rendering and now
    return () => {
      listeners.delete(follow);
      if (listeners.size === 0) removeEventListener('popstate', followHistory);
    };
  }, []);
  return address;
}

/** Follows a step back or forward that the browser has made, or undoes it when the user stays. */
function followHistory(): void {
  if (mayLeave()) notify();
  else history.pushState(null, '', toHref(shown));
}

/**
 * Decoded parameters of a path such as `/websites/:id`; undefined when it is another path, or one that cannot be
 * decoded.
 */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.length > 1 && path.endsWith('/') ? path.slice(0, -1).split('/') : path.split('/');
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== value) return undefined;
      continue;
    }
    try {
      parameters[part.slice(1)] = decodeURIComponent(value);
    } catch {
      return undefined;
    }
    if (value === '') return undefined;
  }
  return parameters;
}
