import { randomText } from '../process/random-text.ts';
import { isSameSecret } from '../process/same-secret.ts';

/** 62¹² possibilities: nobody tries them all before the next start, which makes another one. */
const CODE_LENGTH = 12;

/** Shown at the start to whoever runs the server: it proves to the set-up page that it is they who ask. */
export function newSetupCode(): string {
  return randomText(CODE_LENGTH);
}

export function isSetupCode(given: string, code: string): boolean {
  return isSameSecret(given.trim(), code);
}
