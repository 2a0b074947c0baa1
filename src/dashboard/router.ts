import { useEffect, useState } from 'preact/hooks';

/**
 * The address is the state of the page: what is shown follows from it alone, so that back, reload, a bookmark and a
 * shared link show the same.
 */

type Listener = () => void;
const listeners = new Set<Listener>();
const tell = () => {
  for (const listener of [...listeners]) listener();
};

/** Path and query of the address as it is now. */
export function currentAddress(): string {
  return location.pathname + location.search;
}

/** Goes to an address of this application. `replace` leaves no step to go back to. */
export function navigate(address: string, { replace = false } = {}): void {
  if (address === currentAddress()) return;
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  tell();
}

/** The address, and a new rendering whenever it changes. */
export function useAddress(): string {
  const [address, setAddress] = useState(currentAddress);
  useEffect(() => {
    const follow = () => setAddress(currentAddress());
    follow(); // it may have changed between rendering and now
    listeners.add(follow);
    addEventListener('popstate', follow);
    return () => {
      listeners.delete(follow);
      removeEventListener('popstate', follow);
    };
  }, []);
  return address;
}

/**
 * The parameters of a path such as `/websites/:id`, decoded; undefined when it is another path, or one that cannot be
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

/** Whether a click on a link is ours to follow, and not meant for another tab or a download. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}
