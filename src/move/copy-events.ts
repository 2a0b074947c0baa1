import { withBusyRetry } from '../db/busy.ts';
import type { NewEvent } from '../log/event.ts';
import type { EventLog } from '../log/event-log.ts';
import type { MovableLog } from '../storage/storage.ts';
import type { PositionFile } from './position.ts';

type Options = {
  from: MovableLog;
  to: MovableLog;
  position: PositionFile;
  /** How many there are by now. */
  onCopied: (events: number) => void;
};

/**
 * Copies every event from one log to another, starting at the position. Existing events stay as they are.
 *
 * @throws Error when the other log refuses; the next call continues from there
 */
export async function copyEvents({ from, to, position, onCopied }: Options): Promise<void> {
  let { cursor, copied } = position.read() ?? { cursor: undefined, copied: 0 };
  for (;;) {
    onCopied(copied);
    const page = await from.pages.readAfter(cursor);
    if (!page.cursor) return;
    for (let done = 0; done < page.events.length; done += to.groupEventsMax)
      await append(to.log, page.events.slice(done, done + to.groupEventsMax));
    copied += page.events.length;
    cursor = page.cursor;
    position.write({ cursor, copied });
  }
}

async function append(log: EventLog, events: readonly NewEvent[]): Promise<void> {
  const outcomes = await withBusyRetry(() => log.append(events));
  for (const [index, { kind }] of outcomes.entries()) {
    const id = events[index]?.id;
    if (kind === 'conflict')
      throw new Error(`The event ${id} is there already, of another website: it is another installation's.`);
    if (kind === 'failed') throw new Error(`The event ${id} cannot be stored.`);
  }
}
