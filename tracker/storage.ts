import { attempt } from './guard.ts';
import { setting } from './settings.ts';

/** Everything that the tracker stores has a name that begins with this. */
export const PREFIX = '_at_';

/** Mode of storing in the browser: everything in `browser`, the default, and `consent`; `session`; else nothing. */
const mode = () => `${setting('mode') || 'browser'}`;
export const asksConsent = () => mode() === 'consent';

// Called where exceptions are caught: the getters throw in sandboxed frames and where cookies are blocked, and without
// an area there is nothing to call.
export const local = (): Storage => (/^(browser|consent)$/.test(mode()) ? localStorage : session());
// The cast: what throws for lack of an area is caught.
export const session = (): Storage =>
  (/^(browser|consent|session)$/.test(mode()) ? sessionStorage : 0) as Storage;
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

/** Name of the visitor's id; after consent its value is AGREED until the server has named the visitor. */
export const VISITOR = 'visitor';
export const AGREED = '1';

/** Whether events carry no ids. */
export const isAnonymous = (): boolean =>
  asksConsent() ? !readItem(local, VISITOR)?.[1] : !/^(browser|session)$/.test(mode());

/** After consent the visitor keeps the id that the server has derived: the same visit continues. */
export const adopt = (answer: string | undefined): void => {
  const [, id] = /"visitorId":"([^"]+)/.exec(answer as string) ?? [];
  if (id && readItem(local, VISITOR) === AGREED) writeItem(local, VISITOR, id);
};

export const forgetMemory = (): void => {
  memory = {};
};
