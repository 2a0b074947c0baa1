/** Addresses of this server, from settings that are written into the page. */

/** Prefix of all paths: empty, or `/meter`. */
function basePath(): string {
  return document.getElementById('root')?.dataset.base ?? '';
}

/** Converts an address of this application, which has no base path, to one for the browser. */
export function toHref(address: string): string {
  return basePath() + address;
}

/** Removes the base path. */
export function withoutBase(path: string): string {
  const base = basePath();
  return path.startsWith(base) ? path.slice(base.length) || '/' : path;
}

/** Address at which visitors' browsers reach this server. */
export function ownAddress(): string {
  return document.getElementById('root')?.dataset.url ?? location.origin + basePath();
}
