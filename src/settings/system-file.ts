import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** Settings file of the Debian package; the systemd unit reads it, too. */
export const SYSTEM_FILE = '/etc/pagemeter/pagemeter.env';

/** Adds the settings of a file to an environment without overriding it. A file that is missing or unreadable adds none. */
export function addSettingsOf(path: string, environment: Record<string, string | undefined>): void {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return;
  }
  for (const [name, value] of Object.entries(parseEnv(text))) environment[name] ??= value;
}
