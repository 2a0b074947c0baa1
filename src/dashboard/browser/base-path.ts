/** Where this server is, as its settings say; they are written into the page. */

/** The path before all others: empty, or `/meter`. */
function basePath(): string {
  return document.getElementById('root')?.dataset.base ?? '';
}

/** The address for the browser of one of this application, which knows of no base path. */
export function toHref(address: string): string {
  return basePath() + address;
}

/** The other way round. */
export function withoutBase(path: string): string {
  const base = basePath();
  return path.startsWith(base) ? path.slice(base.length) || '/' : path;
}

/** Where visitors and their browsers reach this server. */
export function ownAddress(): string {
  return document.getElementById('root')?.dataset.url ?? location.origin + basePath();
}
