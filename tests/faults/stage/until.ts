/** Longer than anything takes that happens at all: who runs into it waited in vain. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 5;

/** Looks until there is something to see; `undefined` when there never is. */
export async function until<Seen>(
  look: () => Seen | undefined | Promise<Seen | undefined>,
  patienceMs = PATIENCE_MS,
): Promise<Seen | undefined> {
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined || performance.now() > deadlineMs) return seen;
    await Bun.sleep(LOOK_MS);
  }
}
