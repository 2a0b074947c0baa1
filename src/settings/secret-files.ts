import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Settings that may be in a file, which `NAME_FILE` names, as containers are given secrets. */
export const SECRETS = [
  'DATABASE_AUTH_TOKEN',
  'JWT_SECRET',
  'METRICS_TOKEN',
  'BACKUP_S3_SECRET_ACCESS_KEY',
] as const;

type Environment = Record<string, string | undefined>;

/**
 * Puts what the files hold in the place of their names, without white space around it.
 *
 * @param baseDir relative paths start here
 */
export function readSecretFiles(
  given: Environment,
  baseDir: string,
): { environment: Environment; faults: string[] } {
  const environment = { ...given };
  const faults: string[] = [];
  for (const name of SECRETS) {
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
