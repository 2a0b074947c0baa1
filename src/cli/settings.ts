import { SETTINGS } from '../config.ts';

/** Prints what stands in the README's table, for who has the executable alone. */
export function printSettings(): void {
  for (const [name, { fallback, description }] of Object.entries(SETTINGS))
    console.log(`${name}=${fallback}\n    ${description}`);
}
