import type { TrackedWebsite } from './store.ts';

const ENTRIES_MAX = 10_000;
/** Bounds how long a change by another process (the command line) goes unnoticed. */
const LIFETIME_MS = 2_000;

type Options = {
  /** Loads the websites of tracking codes, by code. */
  load: (trackingCodes: readonly string[]) => Promise<Map<string, TrackedWebsite>>;
  /** Monotonic clock. */
  monotonicMs: () => number;
};

/** One query for all codes that are requested in one turn of the event loop. */
type Round = { codes: Set<string>; found: Promise<Map<string, TrackedWebsite>> };

/** Cache of tracking codes and their websites for the hot path of ingest; remembers unknown codes as well. */
export function createTrackedCache({ load, monotonicMs }: Options) {
  const entries = new Map<string, { website: TrackedWebsite | null; expiresAtMs: number }>();
  let round: Round | undefined;
  let forgotten = 0;

  /** Null: known to be unknown. Undefined: not cached. */
  function findNow(trackingCode: string): TrackedWebsite | null | undefined {
    const entry = entries.get(trackingCode);
    return entry && monotonicMs() < entry.expiresAtMs ? entry.website : undefined;
  }

  async function find(trackingCode: string): Promise<TrackedWebsite | undefined> {
    const cached = findNow(trackingCode);
    if (cached !== undefined) return cached ?? undefined;
    round ??= startRound();
    round.codes.add(trackingCode);
    return (await round.found).get(trackingCode);
  }

  /** Removes a code. Call it after the change is committed and before it is answered. */
  function forget(trackingCode: string): void {
    entries.delete(trackingCode);
    forgotten += 1;
  }

  function startRound(): Round {
    const codes = new Set<string>();
    const found = Promise.resolve().then(() => {
      round = undefined;
      return loadAndKeep([...codes]);
    });
    return { codes, found };
  }

  async function loadAndKeep(codes: string[]): Promise<Map<string, TrackedWebsite>> {
    const forgottenBefore = forgotten;
    const found = await load(codes);
    // A change came in between, so the rows read may predate it.
    if (forgotten === forgottenBefore) for (const code of codes) keep(code, found.get(code) ?? null);
    return found;
  }

  function keep(trackingCode: string, website: TrackedWebsite | null): void {
    entries.delete(trackingCode); // moves it to the end: the first entry is the oldest
    const oldest = entries.size >= ENTRIES_MAX ? entries.keys().next().value : undefined;
    if (oldest !== undefined) entries.delete(oldest);
    entries.set(trackingCode, { website, expiresAtMs: monotonicMs() + LIFETIME_MS });
  }

  return { find, findNow, forget };
}
