import type { ImportedEvents } from '../log/imported-events.ts';
import type { Sums } from './store.ts';

/** Everything that imports added: events, wherever they are kept, and sums. */
export function withSums(events: ImportedEvents, sums: Sums): ImportedEvents {
  return {
    ...events,
    count: async (importKey) => (await events.count(importKey)) + (await sums.count(importKey)),
    async remove(importKey) {
      await events.remove(importKey);
      await sums.remove(importKey);
    },
  };
}
