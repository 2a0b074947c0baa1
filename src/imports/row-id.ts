/**
 * Makes the id of an event from what makes its row the same row in another export of the same data: importing it again
 * stores it once. It begins with the time, like ids of version 7, so that indexes grow at their end; version 8 is for
 * ids of one's own making (RFC 9562).
 */
export function toEventId(atMs: number, identity: string): string {
  const time = Math.max(0, Math.floor(atMs)).toString(16).padStart(12, '0').slice(-12);
  const hash = Bun.CryptoHasher.hash('sha256', identity, 'hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-8${hash.slice(0, 3)}-a${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}

/** Generation of identities that are remembered; a repeat further away than two of them counts as the same row. */
const GENERATION_MAX = 20_000;

/**
 * Numbers equal rows: an access log has two equal lines when a visitor loads a page twice within a second. Repeats in
 * another file that begins earlier or later get the same numbers.
 */
export function createRepeats(): (identity: string) => string {
  let recent = new Map<string, number>();
  let older = new Map<string, number>();
  return (identity) => {
    const before = recent.get(identity) ?? older.get(identity) ?? 0;
    if (recent.size >= GENERATION_MAX) {
      older = recent;
      recent = new Map();
    }
    recent.set(identity, before + 1);
    return before === 0 ? identity : `${identity}\n${before}`;
  };
}
