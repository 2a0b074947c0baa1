import { type AccountAdmin, createAccountAdmin } from '../accounts/admin.ts';
import { AppError } from '../vocabulary/errors.ts';
import type { DatabaseCommand, Io } from './command.ts';

export const USER_COMMANDS = {
  list: () =>
    withAdmin('', async (admin, { print }) => {
      for await (const { email, isActive, createdAtMs, name } of admin.list())
        print(
          [email, isActive ? 'active' : 'inactive', new Date(createdAtMs).toISOString(), name ?? ''].join(
            '\t',
          ),
        );
    }),
  deactivate: (address: string) =>
    withAdmin(address, async (admin, { print }) => {
      const { email } = await admin.setActive(address, false);
      print(`${email} is inactive: its password, tokens and API keys are refused.`);
    }),
  reactivate: (address: string) =>
    withAdmin(address, async (admin, { print }) => {
      const { email } = await admin.setActive(address, true);
      print(`${email} is active.`);
    }),
  'set-password': (address: string) =>
    withAdmin(address, async (admin, { print, readPassword }) => {
      const { email } = await admin.setPassword(address, readPassword);
      print(`The password of ${email} is changed, and all its logins have ended.`);
    }),
};

function withAdmin(address: string, work: (admin: AccountAdmin, io: Io) => Promise<void>): DatabaseCommand {
  return async ({ database: { db } }, io) => {
    try {
      await work(createAccountAdmin(db, Date.now), io);
    } catch (error) {
      throw error instanceof AppError ? new Error(explain(error, address)) : error;
    }
  };
}

function explain({ code, message, details }: AppError, email: string): string {
  if (code === 'NOT_FOUND') return `No account has the address ${email}.`;
  const faults = Object.values(details?.fieldErrors ?? {}).flat();
  return faults.length > 0 ? `${faults.join('.\n')}.` : message;
}
