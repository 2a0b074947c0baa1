/**
 * The address of a thread's program, from its path in this folder. In the executable there is one folder for all of
 * the program, and this file is in it, wherever the file that starts the thread was.
 */
export function threadUrl(path: string): string {
  return new URL(path, import.meta.url).href;
}
