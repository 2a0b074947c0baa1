import type { TokenPair } from '../../contract/account.ts';
import { API_PREFIX } from '../../vocabulary/contract.ts';
import { toHref } from '../browser/base-path.ts';

/** The login of this browser. All tabs share it. */

type Login = { email: string; accessToken: string; refreshToken: string; issuedAtMs: number };
type State = { login: Login | undefined; isExpired: boolean };

const KEY = 'pagemeter.login';
/** A token lives for seven days; whoever comes by at least once a week stays logged in. */
const RENEW_AFTER_MS = 24 * 60 * 60 * 1_000;

/** Read when it is first asked for. */
let state: State | undefined;
const listeners = new Set<() => void>();

export const session = {
  get(): State {
    state ??= { login: read(), isExpired: false };
    return state;
  },
  /** A login or its end in another tab is one in this tab as well. */
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
  /** The server does not know the login any more. */
  expire(): void {
    localStorage.removeItem(KEY);
    change({ login: undefined, isExpired: true });
  },
};

/** The access token, exchanged for a new one when it is a day old. */
export async function freshToken(): Promise<string | undefined> {
  const { login } = session.get();
  if (!login) return undefined;
  if (Date.now() - login.issuedAtMs < RENEW_AFTER_MS) return login.accessToken;
  return (await refreshToken(login.accessToken)) ?? login.accessToken;
}

/**
 * Another token than the one that is old or was refused; undefined when there is none to be had. A refresh token works
 * once, and a second use ends the login, so tabs take turns.
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

/** Locks are there on secure pages only; elsewhere two tabs may collide, and one logs in again. */
function takeTurns<Result>(work: () => Promise<Result>): Promise<Result> {
  const { locks } = navigator as { locks?: LockManager }; // undefined on pages without TLS
  return locks ? locks.request(KEY, work) : work();
}

function keep(login: Login | undefined): void {
  if (login) localStorage.setItem(KEY, JSON.stringify(login));
  else localStorage.removeItem(KEY);
  change({ login, isExpired: false });
}

function change(next: State): void {
  state = next;
  for (const listener of [...listeners]) listener();
}

function read(): Login | undefined {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') ?? undefined;
  } catch {
    return undefined; // not ours, or storage is blocked
  }
}
