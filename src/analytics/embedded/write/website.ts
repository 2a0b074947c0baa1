import type { LogEvent } from '../../../log/follower.ts';
import type { WebsiteDictionaries } from '../dictionary/website-dictionaries.ts';
import type { Segment } from '../segment/segment.ts';
import type { NewEvent } from './new-event.ts';
import { createEventReader } from './read-event.ts';
import type { Revision } from './revise.ts';

/** What is derived of one website, as far as its log has been read. */
export class Website {
  /** Ordered by day, visitor, class and start. */
  segments: readonly Segment[];
  /** Events that wait to be put into segments, in the order of their keys. */
  #waiting: NewEvent[] = [];
  /** Segments on disk that were replaced. */
  replacedIds: number[] = [];
  /** The first event since what is on disk; undefined: everything is. */
  firstUnsavedKey: number | undefined;
  /** Events that are in no segment on disk. */
  unsavedCount = 0;
  /** Something was removed that is still on disk. */
  hasRemoved = false;
  #reader: ((event: LogEvent) => NewEvent) | undefined;
  /** Somebody works on it who comes back to it: it stays in memory. */
  isHeld = false;
  /** Its memory was freed; whoever still has it in hand leaves the disk alone. */
  isForgotten = false;

  constructor(
    readonly key: number,
    segments: readonly Segment[],
    readonly dictionaries: WebsiteDictionaries,
    /** The high-water mark: events up to this key were taken in, later ones were not. */
    public takenUntil: number,
  ) {
    this.segments = segments.toSorted(inOrder);
  }

  /** Derives from events of the log what segments hold of them, which were taken before. */
  readAgain(events: readonly LogEvent[]): NewEvent[] {
    const read = createEventReader(this.dictionaries); // knows no texts that came later
    return events.toSorted((a, b) => a.key - b.key).map(read);
  }

  /** What was read keeps its codes, but is not remembered any more. */
  forgetReader(): void {
    this.#reader = undefined;
  }

  /**
   * Events that wait from now on.
   *
   * @param events in the order of their keys; those that were taken before are left out
   */
  take(events: readonly LogEvent[]): number {
    const fresh = events.filter(({ key }) => key > this.takenUntil);
    this.dictionaries.visitors.expect(fresh.map(({ visitorId }) => visitorId));
    this.#reader ??= createEventReader(this.dictionaries);
    for (const event of fresh) this.#waiting.push(this.#reader(event));
    this.firstUnsavedKey ??= fresh[0]?.key;
    this.unsavedCount += fresh.length;
    this.takenUntil = fresh.at(-1)?.key ?? this.takenUntil;
    return fresh.length;
  }

  /** Up to this key there is no other event of it. */
  skipTo(key: number): void {
    this.takenUntil = Math.max(this.takenUntil, key);
  }

  get waiting(): readonly NewEvent[] {
    return this.#waiting;
  }

  /** All that waited is in segments now. */
  clearWaiting(): void {
    this.#waiting = [];
  }

  /** Puts new segments in the place of others. @returns those that were replaced */
  replace({ replaced, added }: Revision): Segment[] {
    const gone = new Set(replaced);
    for (const { id } of replaced) if (id !== 0) this.replacedIds.push(id);
    const kept = this.segments.filter((segment) => !gone.has(segment));
    this.segments = [...kept, ...added].sort(inOrder);
    return replaced;
  }

  unsavedSegments(): Segment[] {
    return this.segments.filter(({ id }) => id === 0);
  }

  get isSaved(): boolean {
    return this.firstUnsavedKey === undefined && !this.hasRemoved;
  }
}

/** By day, visitor, class and start, then key: these tell segments of one busy visitor apart. */
function inOrder(a: Segment, b: Segment): number {
  return (
    a.header.day - b.header.day ||
    a.header.firstVisitor - b.header.firstVisitor ||
    a.header.lastVisitor - b.header.lastVisitor ||
    firstOf(a, 'class') - firstOf(b, 'class') ||
    firstOf(a, 'startMs') - firstOf(b, 'startMs') ||
    lastOf(a, 'class') - lastOf(b, 'class') ||
    lastOf(a, 'startMs') - lastOf(b, 'startMs') ||
    firstOf(a, 'key') - firstOf(b, 'key')
  );
}

function firstOf(segment: Segment, column: 'class' | 'startMs' | 'key'): number {
  return segment.column(column)[0] as number; // no segment is empty
}

function lastOf(segment: Segment, column: 'class' | 'startMs'): number {
  return segment.column(column)[segment.visitCount - 1] as number; // likewise
}
