import { attempt } from './guard.ts';

/** Everything that the tracker stores has a name that begins with this. */
export const PREFIX = '_at_';

// Called where exceptions are caught: the getters throw in sandboxed frames and where cookies are blocked.
export const local = () => localStorage;
export const session = () => sessionStorage;
type Area = () => Storage;

/** Values stored from here, for pages whose storage is blocked or full. */
let memory: Record<string, string> = {};

export const readItem = (area: Area, key: string) =>
  attempt(() => area().getItem(PREFIX + key)) ?? memory[key];

export const writeItem = (area: Area, key: string, value: string): string => {
  memory[key] = value;
  store(area, key, value);
  return value;
};

/** Stores without memory, and answers whether it worked. */
export const store = (area: Area, key: string, value: string) =>
  attempt(() => {
    area().setItem(PREFIX + key, value);
    return true;
  });

/** Removes everything whose name begins like this, and answers what it was. */
export const takeItems = (area: Area, key: string): string[] =>
  attempt(() =>
    Object.keys(area())
      .filter((name) => name.startsWith(PREFIX + key))
      .map((name) => {
        const value = area().getItem(name);
        area().removeItem(name);
        // There, because the name was.
        return value as string;
      }),
  ) ?? [];

export const forgetMemory = (): void => {
  memory = {};
};
