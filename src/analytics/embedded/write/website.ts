import type { LogEvent } from '../../../log/follower.ts';
import type { WebsiteDictionaries } from '../dictionary/website-dictionaries.ts';
import type { Segment } from '../segment/segment.ts';
import type { NewEvent } from './new-event.ts';
import { createEventReader } from './read-event.ts';
import type { Revision } from './revise.ts';

/** Approximate size of a waiting event, and of each of its properties. */
const WAITING_EVENT_BYTES = 512;
const WAITING_PROPERTY_BYTES = 64;

/** The derived data of one website, as far as its log has been read. */
export class Website {
  /** Ordered by day, visitor, class and start. */
  segments: readonly Segment[];
  /** Events waiting to be put into segments, in the order of their keys. */
  #waiting: NewEvent[] = [];
  /** Approximate size of the waiting events. */
  waitingBytes = 0;
  /** Ids of segments on disk that were replaced. */
  replacedIds: number[] = [];
  /** Key of the first event that is not on disk; undefined when all are. */
  firstUnsavedKey: number | undefined;
  /** Number of events that are in no segment on disk. */
  unsavedCount = 0;
  /** Whether removed data is still on disk. */
  hasRemoved = false;
  #reader: ((event: LogEvent) => NewEvent) | undefined;
  /** Keeps it in memory during work that resumes later. */
  isHeld = false;
  /** Set when its memory was freed: work that still refers to it must not write to disk. */
  isForgotten = false;

  constructor(
    readonly key: number,
    segments: readonly Segment[],
    readonly dictionaries: WebsiteDictionaries,
    /** High-water mark: events up to this key were ingested, later ones were not. */
    public takenUntil: number,
  ) {
    this.segments = segments.toSorted(inOrder);
  }

  /** Derives again what segments hold of events that were ingested before. */
  readAgain(events: readonly LogEvent[]): NewEvent[] {
    return events.toSorted((a, b) => a.key - b.key).map(this.openReader());
  }

  /** Returns a reader of events that were ingested before, without texts cached by later events. */
  openReader(): (event: LogEvent) => NewEvent {
    return createEventReader(this.dictionaries);
  }

  /** Drops the reader's cache; codes stay. */
  forgetReader(): void {
    this.#reader = undefined;
  }

  /**
   * Adds waiting events.
   *
   * @param events in the order of their keys; those already ingested are skipped
   */
  take(events: readonly LogEvent[]): number {
    const fresh = events.filter(({ key }) => key > this.takenUntil);
    this.dictionaries.visitors.expect(fresh.map(({ visitorId }) => visitorId));
    this.#reader ??= createEventReader(this.dictionaries);
    for (const event of fresh) {
      const read = this.#reader(event);
      this.#waiting.push(read);
      this.waitingBytes += WAITING_EVENT_BYTES + WAITING_PROPERTY_BYTES * read.properties.length;
    }
    this.firstUnsavedKey ??= fresh[0]?.key;
    this.unsavedCount += fresh.length;
    this.takenUntil = fresh.at(-1)?.key ?? this.takenUntil;
    return fresh.length;
  }

  /** Marks the log as read up to this key, without further events of this website. */
  skipTo(key: number): void {
    this.takenUntil = Math.max(this.takenUntil, key);
  }

  get waiting(): readonly NewEvent[] {
    return this.#waiting;
  }

  /** Called when all waiting events are in segments. */
  clearWaiting(): void {
    this.#waiting = [];
    this.waitingBytes = 0;
  }

  /** Replaces segments. @returns the replaced ones */
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

/** Compares by day, visitor, class, start, then key, which separates segments of one busy visitor. */
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
  return segment.column(column)[0] as number;
}

function lastOf(segment: Segment, column: 'class' | 'startMs'): number {
  return segment.column(column)[segment.visitCount - 1] as number;
}
