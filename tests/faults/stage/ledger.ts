/** Events that the clients of a fault test sent, and those that the service acknowledged. */
export type Ledger = ReturnType<typeof createLedger>;

export type SentEvent = { id: string; url: string };

export function createLedger() {
  const sentUrls = new Map<string, string>();
  /** Milliseconds since the epoch, by id. */
  const acknowledgedAtMs = new Map<string, number>();

  return {
    /** A new event: its address is as unique as its id, so that a copy under another id is found as well. */
    create(): SentEvent {
      const event = { id: Bun.randomUUIDv7(), url: `https://example.com/${sentUrls.size}` };
      sentUrls.set(event.id, event.url);
      return event;
    },
    acknowledge(events: readonly SentEvent[]): void {
      const atMs = performance.timeOrigin + performance.now();
      for (const { id } of events) acknowledgedAtMs.set(id, atMs);
    },
    urlOf: (id: string) => sentUrls.get(id),
    acknowledged: acknowledgedAtMs as ReadonlyMap<string, number>,
    sentCount: () => sentUrls.size,
  };
}
