import { Value } from '@sinclair/typebox/value';
import { PasswordInput } from '../contract/account-input.ts';
import type { Db } from '../db/open.ts';
import { toFaultDetails } from '../http/field-errors.ts';
import { findCommonFault } from '../vocabulary/common-passwords.ts';
import { validationError } from '../vocabulary/errors.ts';
import { toEmailKey } from './email-key.ts';
import { createPasswords } from './passwords.ts';
import { userNotFoundError } from './refusals.ts';
import { createUserStore, type UserRow } from './user-store.ts';

const LIST_STEP = 500;

export type AccountAdmin = ReturnType<typeof createAccountAdmin>;

/** Operations of the machine's owner on any account. A running service sees the changes at its next request. */
export function createAccountAdmin(db: Db, now: () => number) {
  const users = createUserStore(db);
  const passwords = createPasswords();

  /** @throws AppError 404 */
  async function requireByEmail(email: string): Promise<UserRow> {
    const user = await users.findByEmailKey(toEmailKey(email.trim()));
    if (!user) throw userNotFoundError();
    return user;
  }

  return {
    /** All accounts, in the order of their addresses. */
    async *list(): AsyncGenerator<UserRow> {
      for (let emailKey = ''; ; ) {
        const rows = await users.list(emailKey, LIST_STEP);
        yield* rows;
        const last = rows.at(-1);
        if (!last || rows.length < LIST_STEP) return;
        emailKey = last.emailKey;
      }
    },

    /** While inactive, its tokens and API keys are refused; afterwards they work again. */
    async setActive(email: string, isActive: boolean): Promise<UserRow> {
      const user = await requireByEmail(email);
      await users.setActive(user.id, isActive);
      return { ...user, isActive };
    },

    /**
     * Sets a new password and revokes all logins of the account.
     *
     * @param readPassword called only if the account exists
     * @throws AppError 400 with the rules that the password breaks
     */
    async setPassword(email: string, readPassword: () => Promise<string>): Promise<UserRow> {
      const user = await requireByEmail(email);
      const password = await readPassword();
      const common = findCommonFault(password);
      const faults = [
        ...toFaultDetails(Value.Errors(PasswordInput.properties.newPassword, password)).formErrors,
        ...(common ? [common] : []),
      ];
      if (faults.length > 0) throw validationError('Invalid request data', { password: faults });
      const newHash = await passwords.hash(password);
      if (!(await users.setPassword(user.id, { newHash, nowMs: now() }))) throw userNotFoundError(); // deleted since it was read
      return user;
    },
  };
}
