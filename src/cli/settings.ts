import { SETTINGS } from '../settings/config.ts';

/** Prints what stands in docs/settings.md, for who has the executable alone. */
export function printSettings(): void {
  for (const [name, { fallback, description }] of Object.entries(SETTINGS))
    console.log(`${name}=${fallback}\n    ${description}`);
}
