import type { Registration, Setup } from '../contract/account.ts';
import type { RegisterInput } from '../contract/account-input.ts';
import type { Db } from '../db/open.ts';
import { AppError } from '../vocabulary/errors.ts';
import { closedError, codeNeededError, wrongCodeError } from './refusals.ts';
import { createServerSettings, type Ownership, type RegistrationRule } from './server-settings.ts';
import { isSetupCode } from './setup-code.ts';

type RegistrationDeps = {
  db: Db;
  hasUsers: () => Promise<boolean>;
  /** Undefined: what the owner of the server has decided, open until then. */
  fixedRule: RegistrationRule | undefined;
  /** Proves that the caller runs the server. Undefined: it is never asked. */
  setupCode: string | undefined;
  /** Whether direct requests (http/own-machine) need the code, too: where the settings let others reach the server. */
  isCodeForAll: boolean;
};

/** Decides who may create an account, and who may change that rule. */
export function createRegistration({ db, hasUsers, fixedRule, setupCode, isCodeForAll }: RegistrationDeps) {
  const server = createServerSettings(db);

  async function read() {
    const { ownerId, registration } = await server.read();
    return { ownerId, registration: fixedRule ?? registration ?? ('open' as const) };
  }

  /** @throws AppError VALIDATION_ERROR when a code is given, and it is wrong */
  function knowsCode(given: string | undefined): boolean {
    if (given === undefined || setupCode === undefined) return false;
    if (!isSetupCode(given, setupCode)) throw wrongCodeError();
    return true;
  }

  function asksCode(isDirect: boolean): boolean {
    return setupCode !== undefined && (isCodeForAll || !isDirect);
  }

  async function describe(userId: string): Promise<Registration> {
    const { ownerId, registration } = await read();
    return { registration, isOwner: userId === ownerId, isFixed: fixedRule !== undefined };
  }

  return {
    describe,

    /** State of the server's set-up, for callers without a login. */
    async setup(isDirect: boolean): Promise<Setup> {
      const { ownerId, registration } = await read();
      const needsCode = ownerId === undefined && asksCode(isDirect);
      return {
        needsSetup: needsCode || (ownerId === undefined && !(await hasUsers())),
        needsCode,
        registration,
      };
    },

    /** @throws AppError FORBIDDEN, CONFLICT */
    async set(userId: string, rule: RegistrationRule): Promise<Registration> {
      const { isOwner, isFixed } = await describe(userId);
      if (!isOwner)
        throw new AppError('FORBIDDEN', 'Only the account that set the server up decides who may register');
      if (isFixed) throw new AppError('CONFLICT', 'REGISTRATION in the environment of the server decides');
      await server.setRegistration(rule);
      return describe(userId);
    },

    /**
     * @returns whether the account is added to an empty server only, and what it may become owner of
     * @throws AppError FORBIDDEN when registration is closed, VALIDATION_ERROR for a wrong code
     */
    async admit(
      input: RegisterInput,
      isDirect: boolean,
    ): Promise<{ isClosed: boolean; ownership: Ownership | undefined }> {
      const { ownerId, registration } = await read();
      const hasCode = knowsCode(input.setupCode);
      const ownership =
        ownerId === undefined && (hasCode || !asksCode(isDirect))
          ? { isFirst: !hasCode, registration: toRule(input.othersMayRegister) }
          : undefined;
      // With the code the owner gets in after the first account, too: that may be a stranger's.
      const isClosed = registration === 'closed' && !(hasCode && ownership);
      if (isClosed && (await hasUsers())) throw closedError();
      if (isClosed && setupCode !== undefined && !isDirect) throw codeNeededError();
      return { isClosed, ownership };
    },
  };
}

function toRule(othersMayRegister: boolean | undefined): RegistrationRule | '' {
  if (othersMayRegister === undefined) return '';
  return othersMayRegister ? 'open' : 'closed';
}
