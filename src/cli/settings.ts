import { SETTINGS } from '../settings/config.ts';

/** Prints the content of docs/settings.md for users of the executable. */
export function printSettings(): void {
  for (const [name, { fallback, description }] of Object.entries(SETTINGS))
    console.log(`${name}=${fallback}\n    ${description}`);
}
