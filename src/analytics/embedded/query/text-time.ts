import type { LocalDatabase } from '../../../db/local-database.ts';
import { MINUTE_MS } from '../../../vocabulary/durations.ts';

/** Time that the conditions of one question may still spend on testing texts. */
export type TextTime = {
  leftMs(): number;
  spend(ms: number): void;
};

/**
 * A question blocks all others. On 100,000 pages of 255 characters an ordinary pattern takes 20 to 700 ms, and ten regular
 * expressions made to be slow take 13 minutes.
 */
const QUESTION_MS_MAX = 1_000;
/** Shared by the websites of one account, so that more websites do not get more time. */
const ACCOUNT_MINUTE_MS_MAX = 5_000;

type Spent = { sinceMs: number; ms: number };

/** Returns a function that gives each question its time, out of an allowance per account and minute. */
export function createTextTimes(database: LocalDatabase, monotonicMs = () => performance.now()) {
  const accounts = new Map<string, Spent>();
  const accountOf = createAccountLookup(database);

  function spentBy(account: string): Spent {
    const nowMs = monotonicMs();
    for (const [name, { sinceMs }] of accounts) if (nowMs - sinceMs >= MINUTE_MS) accounts.delete(name);
    const spent = accounts.get(account) ?? { sinceMs: nowMs, ms: 0 };
    accounts.set(account, spent);
    return spent;
  }

  return function open(websiteKey: number): TextTime {
    let ownMs = 0;
    let spent: Spent | undefined; // most questions do not test texts
    const account = () => (spent ??= spentBy(accountOf(websiteKey)));
    return {
      leftMs: () => Math.min(QUESTION_MS_MAX - ownMs, ACCOUNT_MINUTE_MS_MAX - account().ms),
      spend(ms) {
        ownMs += ms;
        account().ms += ms;
      },
    };
  };
}

/** The statistics file of a remote database has no accounts: there each website has its own allowance. */
function createAccountLookup(database: LocalDatabase): (websiteKey: number) => string {
  const hasWebsites =
    database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'websites'").get([]) !== undefined;
  if (!hasWebsites) return String;
  const find = database.prepare('SELECT user_id FROM websites WHERE key = ?').raw();
  return (websiteKey) => {
    const [userId] = (find.get([websiteKey]) as [string | null] | undefined) ?? [];
    return userId ?? String(websiteKey);
  };
}
