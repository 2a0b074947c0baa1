import { type AccountAdmin, createAccountAdmin } from '../accounts/admin.ts';
import type { Db } from '../db/open.ts';
import { AppError } from '../errors.ts';

export const USER_USAGE = `pagemeter user list                  every account: address, state, registered on, name
pagemeter user deactivate EMAIL      refuse its password, tokens and API keys until reactivated
pagemeter user reactivate EMAIL      accept them again
pagemeter user set-password EMAIL    replace the password by the line on standard input; ends all its logins`;

export type Io = { print(line: string): void; readLine(): Promise<string> };

type Command = { takesEmail: boolean; run(admin: AccountAdmin, io: Io, email: string): Promise<void> };

const COMMANDS: Record<string, Command> = {
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
export function findUserCommand([name = '', email, ...others]: string[]) {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command || others.length > 0 || command.takesEmail !== (email !== undefined)) return undefined;
  return async (db: Db, io: Io): Promise<void> => {
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
