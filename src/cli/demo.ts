import { createDemo } from '../demo/website.ts';
import { AppError } from '../errors.ts';
import type { Command } from './command.ts';

export const DEMO_USAGE = `pagemeter demo load EMAIL            add a website with 90 days of invented traffic to an account
pagemeter demo remove EMAIL          delete it again`;

/** The command that the arguments after `demo` name; undefined when they are not understood. */
export function findDemoCommand([name, email, ...others]: string[]): Command | undefined {
  if (email === undefined || others.length > 0) return undefined;
  if (name === 'load')
    return async ({ database }, { print }) => {
      const count = await createDemo(database, Date.now).load(email).catch(explain);
      print(`The demo website is loaded: ${count} events of 90 days.`);
    };
  if (name === 'remove')
    return async ({ database }, { print }) => {
      await createDemo(database, Date.now).remove(email);
      print('The demo website is deleted.');
    };
  return undefined;
}

function explain(error: unknown): never {
  if (error instanceof AppError && error.code === 'CONFLICT')
    throw new Error('This account has the demo website already.');
  throw error;
}
