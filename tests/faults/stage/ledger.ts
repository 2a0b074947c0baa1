/** What the clients of a fault test sent and what the service promised to keep. */
export type Ledger = ReturnType<typeof createLedger>;

export type SentEvent = { id: string; url: string };

export function createLedger() {
  const sentUrls = new Map<string, string>();
  const acknowledged = new Set<string>();

  return {
    /** A new event: its address is as unique as its id, so that a copy under another id is found as well. */
    create(): SentEvent {
      const event = { id: Bun.randomUUIDv7(), url: `https://example.com/${sentUrls.size}` };
      sentUrls.set(event.id, event.url);
      return event;
    },
    acknowledge(events: readonly SentEvent[]): void {
      for (const { id } of events) acknowledged.add(id);
    },
    urlOf: (id: string) => sentUrls.get(id),
    acknowledged: acknowledged as ReadonlySet<string>,
    sentCount: () => sentUrls.size,
  };
}
