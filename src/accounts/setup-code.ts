import { randomText } from '../process/random-text.ts';
import { isSameSecret } from '../process/same-secret.ts';

/** 62¹² possibilities: too many to try before the next start, which makes another code. */
const CODE_LENGTH = 12;

/** Makes the code that is printed at the start; it proves to the set-up page that the caller runs the server. */
export function newSetupCode(): string {
  return randomText(CODE_LENGTH);
}

export function isSetupCode(given: string, code: string): boolean {
  return isSameSecret(given.trim(), code);
}
