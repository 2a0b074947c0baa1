import type { EventPosition, LoggedEvent } from '../log/event.ts';
import type { RangePage } from '../log/event-ranges.ts';
import { type Encoder, GROUP_CHARACTERS, GROUP_EVENTS } from './encoder.ts';

/** How far an export is. `after`: the last event that is written; undefined before the first and behind the last one. */
export type Reached = { events: number; after: EventPosition | undefined; encoder: unknown };

/** Where the bytes of an export go. */
export type Sink = {
  append(bytes: Uint8Array, reached: Reached): Promise<void>;
  /** Takes the last bytes. */
  finish(bytes: Uint8Array): Promise<void>;
};

type Job = {
  /** Reads the next events, in order of time. */
  readPage(after: EventPosition | undefined): Promise<RangePage>;
  encoder: Encoder;
  sink: Sink;
  /** Where an interrupted export continues; undefined for a new one. */
  from: Reached | undefined;
  /** Called between groups, and at the end. Throws when the export must stop. */
  onGroup: (events: number) => Promise<void> | void;
};

/**
 * Reads, encodes and writes events group by group. One group is encoded while the next one is read, so that memory is
 * bounded whatever the range.
 *
 * @returns how many events were written in all
 */
export async function runExport({ readPage, encoder, sink, from, onGroup }: Job): Promise<number> {
  let events = from?.events ?? 0;
  let after = from?.after;
  let written = Promise.resolve();
  if (!from) await sink.append(await encoder.begin(), toReached());
  const isRead = from !== undefined && from.events > 0 && after === undefined;

  function toReached(): Reached {
    return { events, after, encoder: encoder.state() };
  }

  async function write(group: readonly LoggedEvent[]): Promise<void> {
    const bytes = await encoder.encode(group);
    await sink.append(bytes, toReached());
  }

  for (let isMore = !isRead; isMore; ) {
    const { group, next } = await readGroup(readPage, after);
    isMore = next !== undefined;
    await written;
    await onGroup(events);
    after = next;
    events += group.length;
    if (group.length === 0) continue;
    written = write(group);
    written.catch(() => {}); // the wait for it throws
  }
  await written;
  await onGroup(events);
  await sink.finish(await encoder.end());
  return events;
}

/** Characters of an event besides its address and properties. */
const OTHER_CHARACTERS = 400;

async function readGroup(
  readPage: Job['readPage'],
  after: EventPosition | undefined,
): Promise<{ group: LoggedEvent[]; next: EventPosition | undefined }> {
  const group: LoggedEvent[] = [];
  let characters = 0;
  let next = after;
  do {
    const page = await readPage(next);
    next = page.next;
    for (const event of page.events) {
      group.push(event);
      characters += OTHER_CHARACTERS + event.url.length + (event.properties?.length ?? 0);
    }
  } while (next !== undefined && group.length < GROUP_EVENTS && characters < GROUP_CHARACTERS);
  return { group, next };
}
