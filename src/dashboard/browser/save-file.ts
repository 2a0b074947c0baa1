import { MINUTE_MS } from '../../vocabulary/durations.ts';

/** Maximum time until a browser reads the file it saves. */
const KEPT_MS = MINUTE_MS;

/** Saves a file through the browser. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
