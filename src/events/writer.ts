import { INGEST_PAUSE_MS, isDatabaseRefusal, withBusyRetry } from '../db/busy.ts';
import type { NewEvent, Outcome } from '../log/event.ts';
import type { EventLog } from '../log/event-log.ts';
import { discardYoung } from '../process/garbage.ts';
import { type AppError, unavailableError } from '../vocabulary/errors.ts';

const RETRY_AFTER_S = 2;
/**
 * Approximate garbage of a request and of each event: young garbage is collected every 500 single events. The second
 * number is the part that has waited for the disk long enough to be old.
 */
const REQUEST_GARBAGE_BYTES = [2_000, 25] as const;
const EVENT_GARBAGE_BYTES = [2_000, 200] as const;

/** Microtask turns to wait: an answer passes through five to ten promises from here to the server. */
const STEPS_TO_ANSWER = 20;

type Request = {
  events: readonly NewEvent[];
  resolve: (outcomes: Outcome[]) => void;
  reject: (error: unknown) => void;
  /** Monotonic time of its arrival. */
  sinceMs: number;
};

/** Requests whose events are stored in one transaction, and the number of these events. */
type Group = { requests: readonly Request[]; events: number };

export type Writer = {
  /**
   * Resolves after the commit, with what became of each event.
   *
   * @throws AppError SERVICE_UNAVAILABLE at the bound of the queue, while the database refuses, or for `findRefusal`
   */
  write(events: readonly NewEvent[]): Promise<Outcome[]>;
  /** Events that wait for the disk. */
  queueSize(): number;
  /** How long the first of them has waited; 0 without any. */
  waitedMs(): number;
  /** Monotonic time at which the database last refused events; undefined once it has accepted some again. */
  refusedAtMs(): number | undefined;
  /** Resolves when everything that was accepted is committed or refused. Later writes are refused. */
  close(): Promise<void>;
};

type Options = {
  queueMax: number;
  /** Bounds of one write; see storage/storage.ts. By default those of a file. */
  groupLimits?: { eventsMax: number; atOnce: number };
  monotonicMs: () => number;
  onError: (error: unknown) => void;
  /** Returns why no event can be stored at the moment; called before each write. */
  findRefusal?: () => AppError | undefined;
  /** Called after a group of events is committed. */
  onStored?: () => void;
  /** Called after each transaction with its duration and outcomes. */
  onCommit?: (durationMs: number, outcomes: readonly Outcome[]) => void;
  /** Called with the number of events answered 503. */
  onRefused?: (events: number) => void;
};

/**
 * Group commit: what arrives in one turn of the event loop shares one transaction, so an fsync serves many requests.
 * No timer: under load the requests that arrive during a commit form the next group, and a lone one never waits.
 */
export function createWriter(log: EventLog, options: Options): Writer {
  const {
    queueMax,
    groupLimits = { eventsMax: 1_000, atOnce: 1 },
    monotonicMs,
    onError,
    findRefusal,
    onStored,
    onCommit,
    onRefused,
  } = options;
  let queue: Request[] = [];
  let queuedEvents = 0;
  /** Groups that are being stored, in their order. */
  let atWork: Group[] = [];
  let isStarting = false;
  let isClosed = false;
  let refusedAtMs: number | undefined;
  let whenIdle: (() => void) | undefined;

  return {
    write(events) {
      if (isClosed) return Promise.reject(unavailableError('The service is stopping', RETRY_AFTER_S));
      const refusal = queuedEvents + events.length > queueMax ? queueFullError() : findRefusal?.();
      if (refusal) {
        onRefused?.(events.length);
        discardRequests({ requests: 1, events: events.length }); // refusing is fast, so many are refused
        return Promise.reject(refusal);
      }
      queuedEvents += events.length;
      return new Promise((resolve, reject) => {
        queue.push({ events, resolve, reject, sinceMs: monotonicMs() });
        startNext();
      });
    },
    queueSize: () => queuedEvents,
    waitedMs() {
      const first = atWork[0]?.requests[0] ?? queue[0];
      return first ? monotonicMs() - first.sinceMs : 0;
    },
    refusedAtMs: () => refusedAtMs,
    close() {
      isClosed = true;
      return isIdle() ? Promise.resolve() : new Promise((resolve) => (whenIdle = resolve));
    },
  };

  function isIdle(): boolean {
    return queue.length === 0 && atWork.length === 0;
  }

  function startNext(): void {
    if (isStarting || queue.length === 0 || !mayStart()) return;
    isStarting = true;
    setImmediate(() => {
      isStarting = false;
      void writeNextGroup();
    });
  }

  /** A second concurrent group costs as much as the first, so it needs at least half as many waiting events. */
  function mayStart(): boolean {
    if (atWork.length === 0) return true;
    if (atWork.length >= groupLimits.atOnce) return false;
    const storing = atWork.reduce((sum, { events }) => sum + events, 0);
    return queuedEvents - storing >= storing / 2;
  }

  /** Writes a group. Never rejects: on failure the requests of the group are rejected. */
  async function writeNextGroup(): Promise<void> {
    const group = takeGroup();
    atWork.push(group);
    const { requests } = group;
    try {
      const outcomes = await append(requests.flatMap(({ events }) => events));
      settle(requests, outcomes);
      void discardAnswered(group);
      onStored?.();
    } catch (error) {
      await refuseOrIsolate(requests, error);
    }
    atWork = atWork.filter((other) => other !== group);
    queuedEvents -= group.events;
    if (isIdle()) whenIdle?.();
    startNext();
  }

  function takeGroup(): Group {
    let size = 0;
    let count = 0;
    for (const { events } of queue) {
      if (count > 0 && size + events.length > groupLimits.eventsMax) break;
      size += events.length;
      count += 1;
    }
    const requests = queue.slice(0, count);
    queue = queue.slice(count);
    return { requests, events: size };
  }

  async function append(events: NewEvent[]): Promise<Outcome[]> {
    const startedMs = performance.now();
    const outcomes = await withBusyRetry(() => log.append(events), { longestPauseMs: INGEST_PAUSE_MS });
    refusedAtMs = undefined;
    onCommit?.(performance.now() - startedMs, outcomes);
    return outcomes;
  }

  /** A refusal of the database (locked, full) holds for all. Anything else is one event's own fault: find it. */
  async function refuseOrIsolate(requests: readonly Request[], error: unknown): Promise<void> {
    onError(error);
    if (isDatabaseRefusal(error)) {
      refusedAtMs = monotonicMs();
      for (const request of requests) refuse(request);
      return;
    }
    for (const request of requests) {
      try {
        const outcomes: Outcome[] = [];
        for (const event of request.events) outcomes.push(...(await appendAlone(event)));
        request.resolve(outcomes);
      } catch {
        refuse(request);
      }
    }
  }

  function refuse({ events, reject }: Request): void {
    onRefused?.(events.length);
    reject(unavailableError('The database cannot take events at the moment', RETRY_AFTER_S));
  }

  async function appendAlone(event: NewEvent): Promise<Outcome[]> {
    try {
      return await append([event]);
    } catch (error) {
      if (isDatabaseRefusal(error)) throw error;
      onError(error);
      return [{ kind: 'failed' }];
    }
  }
}

function queueFullError(): AppError {
  return unavailableError('Too many events wait for the disk; try again', RETRY_AFTER_S);
}

function discardRequests({ requests, events }: { requests: number; events: number }): void {
  const bytes = (age: 0 | 1) => requests * REQUEST_GARBAGE_BYTES[age] + events * EVENT_GARBAGE_BYTES[age];
  discardYoung(bytes(0), bytes(1));
}

/** Collects garbage after the responses are sent: objects alive during a collection are promoted. */
async function discardAnswered({ requests, events }: Group): Promise<void> {
  for (let step = 0; step < STEPS_TO_ANSWER; step += 1) await null;
  discardRequests({ requests: requests.length, events });
}

function settle(requests: readonly Request[], outcomes: Outcome[]): void {
  let index = 0;
  for (const { events, resolve } of requests) {
    resolve(outcomes.slice(index, index + events.length));
    index += events.length;
  }
}
