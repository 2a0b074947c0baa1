import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** The settings of the Debian package, which the unit reads, too. */
export const SYSTEM_FILE = '/etc/pagemeter/pagemeter.env';

/** Adds what a file sets to an environment, which it does not override. Without the file, or the right to read it, nothing. */
export function addSettingsOf(path: string, environment: Record<string, string | undefined>): void {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return;
  }
  for (const [name, value] of Object.entries(parseEnv(text))) environment[name] ??= value;
}
