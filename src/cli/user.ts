import { type AccountAdmin, createAccountAdmin } from '../accounts/admin.ts';
import { AppError } from '../errors.ts';
import type { Command, Io } from './command.ts';

export const USER_USAGE = `pagemeter user list                  every account: address, state, registered on, name
pagemeter user deactivate EMAIL      refuse its password, tokens and API keys until reactivated
pagemeter user reactivate EMAIL      accept them again
pagemeter user set-password EMAIL    replace the password by the line on standard input; ends all its logins`;

type UserCommand = { takesEmail: boolean; run(admin: AccountAdmin, io: Io, email: string): Promise<void> };

const COMMANDS: Record<string, UserCommand> = {
  list: {
    takesEmail: false,
    async run(admin, { print }) {
      for await (const { email, isActive, createdAtMs, name } of admin.list())
        print(
          [email, isActive ? 'active' : 'inactive', new Date(createdAtMs).toISOString(), name ?? ''].join(
            '\t',
          ),
        );
    },
  },
  deactivate: {
    takesEmail: true,
    async run(admin, { print }, email) {
      const user = await admin.setActive(email, false);
      print(`${user.email} is inactive: its password, tokens and API keys are refused.`);
    },
  },
  reactivate: {
    takesEmail: true,
    async run(admin, { print }, email) {
      const user = await admin.setActive(email, true);
      print(`${user.email} is active.`);
    },
  },
  'set-password': {
    takesEmail: true,
    async run(admin, { print, readLine }, email) {
      const user = await admin.setPassword(email, await readLine());
      print(`The password of ${user.email} is changed, and all its logins have ended.`);
    },
  },
};

/** The command that the arguments after `user` name; undefined when they are not understood. */
export function findUserCommand([name = '', email, ...others]: string[]): Command | undefined {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command || others.length > 0 || command.takesEmail !== (email !== undefined)) return undefined;
  return async ({ database: { db } }, io) => {
    try {
      await command.run(createAccountAdmin(db, Date.now), io, email ?? '');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new Error(explain(error, email ?? ''));
    }
  };
}

function explain({ code, message, details }: AppError, email: string): string {
  if (code === 'NOT_FOUND') return `No account has the address ${email}.`;
  const faults = Object.values(details?.fieldErrors ?? {}).flat();
  return faults.length > 0 ? `${faults.join('.\n')}.` : message;
}
