import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

type Environment = Record<string, string | undefined>;

/**
 * Reads the secrets whose files the environment names with `NAME_FILE`, the way containers receive secrets. White space
 * around a secret is removed.
 *
 * @param baseDir relative paths start here
 */
export function readSecretFiles(
  names: readonly string[],
  given: Environment,
  baseDir: string,
): { environment: Environment; faults: string[] } {
  const environment = { ...given };
  const faults: string[] = [];
  for (const name of names) {
    const path = given[`${name}_FILE`]?.trim();
    if (!path) continue;
    if (given[name]?.trim()) faults.push(`${name} and ${name}_FILE are both set: remove one of them.`);
    try {
      environment[name] = readFileSync(resolve(baseDir, path), 'utf8').trim();
      if (environment[name] === '') faults.push(`${name}_FILE ${path} is empty.`);
    } catch (error) {
      faults.push(`${name}_FILE ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`); // of the file system
    }
  }
  return { environment, faults };
}
