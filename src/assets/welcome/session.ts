const KEY = 'pagemeter-token';

/** The access token, for this tab only: gone when it is closed, never in a cookie or in the address. */
export function openSession() {
  let token = read();
  return {
    get token() {
      return token;
    },
    set(next: string | undefined): void {
      token = next;
      try {
        if (next) sessionStorage.setItem(KEY, next);
        else sessionStorage.removeItem(KEY);
      } catch {
        // Storage may be forbidden; then a reload asks to log in again.
      }
    },
  };
}
export type Session = ReturnType<typeof openSession>;

function read(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
