import type { TokenPair } from '../../contract/account.ts';
import { API_PREFIX } from '../../vocabulary/contract.ts';
import { toHref } from '../browser/base-path.ts';
import { storage } from '../browser/storage.ts';

/** The login of this browser. All tabs share it. */

type Login = { email: string; accessToken: string; refreshToken: string; issuedAtMs: number };
type State = { login: Login | undefined; isExpired: boolean };

const KEY = 'pagemeter.login';
/** Age at which a token is renewed. It lives for seven days, so weekly users stay logged in. */
const RENEW_AFTER_MS = 24 * 60 * 60 * 1_000;

/** The login, read on first use. */
let state: State | undefined;
const listeners = new Set<() => void>();

export const session = {
  get(): State {
    state ??= { login: read(), isExpired: false };
    return state;
  },
  /** Follows logins and logouts in other tabs. */
  followOtherTabs(): void {
    window.addEventListener('storage', ({ key }) => {
      if (key === KEY || key === null) change({ login: read(), isExpired: false });
    });
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  begin(email: string, { accessToken, refreshToken }: TokenPair): void {
    keep({ email, accessToken, refreshToken, issuedAtMs: Date.now() });
  },
  end: (): void => keep(undefined),
  /** Ends a login that the server no longer accepts. */
  expire(): void {
    storage.removeItem(KEY);
    change({ login: undefined, isExpired: true });
  },
};

/** Returns the access token, renewed when it is a day old. */
export async function freshToken(): Promise<string | undefined> {
  const { login } = session.get();
  if (!login) return undefined;
  if (Date.now() - login.issuedAtMs < RENEW_AFTER_MS) return login.accessToken;
  return (await refreshToken(login.accessToken)) ?? login.accessToken;
}

/**
 * Replaces a token that is old or was rejected; undefined when there is no new one. A refresh token works
 * once and a second use ends the login, so tabs take turns.
 */
export function refreshToken(refused: string): Promise<string | undefined> {
  const exchange = async () => {
    const login = read();
    if (!login) return undefined;
    if (login.accessToken !== refused) {
      change({ login, isExpired: false });
      return login.accessToken; // another tab was faster
    }
    const response = await fetch(toHref(`${API_PREFIX}/auth/refresh`), {
      method: 'POST',
      credentials: 'omit',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refreshToken: login.refreshToken }),
    }).catch(() => undefined);
    if (!response?.ok) return undefined;
    const { tokens }: { tokens: TokenPair } = await response.json();
    session.begin(login.email, tokens);
    return tokens.accessToken;
  };
  inFlight ??= takeTurns(exchange).finally(() => {
    inFlight = undefined;
  });
  return inFlight;
}
let inFlight: Promise<string | undefined> | undefined;

/** Runs one tab at a time. Only secure pages have locks; elsewhere two tabs may collide, and one logs in again. */
function takeTurns<Result>(work: () => Promise<Result>): Promise<Result> {
  const { locks } = navigator as { locks?: LockManager }; // undefined on pages without TLS
  return locks ? locks.request(KEY, work) : work();
}

function keep(login: Login | undefined): void {
  if (login) storage.setItem(KEY, JSON.stringify(login));
  else storage.removeItem(KEY);
  change({ login, isExpired: false });
}

function change(next: State): void {
  state = next;
  for (const listener of [...listeners]) listener();
}

function read(): Login | undefined {
  try {
    return JSON.parse(storage.getItem(KEY) ?? 'null') ?? undefined;
  } catch {
    return undefined; // not ours, or storage is blocked
  }
}
