import type { LocalDatabase } from '../../../db/local-database.ts';
import { MINUTE_MS } from '../../../vocabulary/durations.ts';

/** Time that the conditions of one question may still spend on testing texts. */
export type TextTime = {
  leftMs(): number;
  spend(ms: number): void;
};

/**
 * A question holds up all others meanwhile. On 100,000 pages of 255 characters a usual pattern takes 20 to 700 ms, and ten
 * regular expressions made to be slow 13 minutes.
 */
const QUESTION_MS_MAX = 1_000;
/** Websites of one account share this, so that several websites buy no more of it. */
const ACCOUNT_MINUTE_MS_MAX = 5_000;

type Spent = { sinceMs: number; ms: number };

/** Returns the time of each question, out of an allowance by account and minute. */
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
    let spent: Spent | undefined; // most questions test no texts
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

/** The statistics of a remote database are in a file without accounts: there each website stands for itself. */
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
