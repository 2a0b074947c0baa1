import { MINUTE_MS } from '../../vocabulary/durations.ts';

/** How long a browser may take to begin reading what it is told to save. */
const KEPT_MS = MINUTE_MS;

/** Lets the browser save a file. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
