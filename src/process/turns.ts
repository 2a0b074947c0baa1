import { AppError } from '../vocabulary/errors.ts';

type Options = {
  /** Pieces of work at a time. */
  atWorkMax: number;
  /** Pieces of work of one line at a time. Default: all. */
  atWorkOfOneMax?: number;
  /** Pieces that may wait for their turn, in all lines together. */
  waitingMax: number;
  /** Makes the error for work that finds no room. */
  refusal: () => AppError;
};

/** Signal that the result of the work is no longer needed. Checked whenever work arrives or ends. */
export type CancelSignal = { readonly aborted: boolean };

export type TurnRequest = {
  /** Each line has its share of the turns. Default: all work is in one. */
  line?: string;
  /** Senders of one line share the turns of the line. Default: all work of the line is of one sender. */
  within?: string;
  /** Work of a disconnected sender is not started. */
  signal?: CancelSignal;
};

type WaitingWork = { signal: CancelSignal | undefined; start: () => void; refuse: (error: AppError) => void };
type Queue = { atWork: number; waiting: WaitingWork[] };
/** Queues by sender; the one that was served last comes last. */
type Line = { atWork: number; queues: Map<string, Queue> };

/**
 * Lets only so much work run at a time; the rest waits. A free place goes to the line with the least at work, and in it to
 * the sender with the least at work; those that are alike take turns. When too much waits, the longest queue of the longest
 * line loses its last piece, so no line takes all the places. Work that has the only place of its line stays.
 */
export function createTurns({ atWorkMax, atWorkOfOneMax = atWorkMax, waitingMax, refusal }: Options) {
  /** Lines with work; the one that was served last comes last. */
  const lines = new Map<string, Line>();
  let atWork = 0;

  function startNext(): void {
    dropCancelled();
    while (atWork < atWorkMax) {
      const line = findIdlest(lines, (one) => one.atWork < atWorkOfOneMax && countWaiting(one) > 0);
      const queue = line && findIdlest(line.queues, ({ waiting }) => waiting.length > 0);
      const place = queue?.waiting.shift();
      if (!line || !queue || !place) return;
      line.atWork += 1;
      queue.atWork += 1;
      atWork += 1;
      place.start();
    }
  }

  function dropCancelled(): void {
    for (const [name, { atWork, queues }] of lines) {
      for (const [sender, queue] of queues) {
        for (const { signal, refuse } of queue.waiting) if (signal?.aborted) refuse(disconnectedError());
        queue.waiting = queue.waiting.filter(({ signal }) => !signal?.aborted);
        if (queue.atWork === 0 && queue.waiting.length === 0) queues.delete(sender);
      }
      if (atWork === 0 && queues.size === 0) lines.delete(name);
    }
  }

  function makeRoom(newestLine: Line, newestQueue: Queue): void {
    const count = lines.values().reduce((sum, line) => sum + countWaiting(line), 0);
    if (count <= waitingMax) return;
    const line = findLongest(lines, countWaiting, newestLine);
    const newest = line === newestLine ? newestQueue : undefined;
    findLongest(line.queues, ({ waiting }) => waiting.length, newest)
      .waiting.pop()
      ?.refuse(refusal());
  }

  function wait(name: string, within: string, signal: CancelSignal | undefined): Promise<[Line, Queue]> {
    const line = lines.get(name) ?? { atWork: 0, queues: new Map() };
    const queue = line.queues.get(within) ?? { atWork: 0, waiting: [] };
    lines.set(name, line);
    line.queues.set(within, queue);
    return new Promise((resolve, refuse) => {
      queue.waiting.push({ signal, start: () => resolve([line, queue]), refuse });
      startNext();
      makeRoom(line, queue);
    });
  }

  return async function inTurn<Result>(
    work: () => Promise<Result>,
    { line: name = '', within = '', signal }: TurnRequest = {},
  ): Promise<Result> {
    const [line, queue] = await wait(name, within, signal);
    try {
      return await work();
    } finally {
      line.atWork -= 1;
      queue.atWork -= 1;
      atWork -= 1;
      moveToEnd(lines, name, line);
      moveToEnd(line.queues, within, queue);
      startNext();
    }
  };
}

function countWaiting({ queues }: Line): number {
  return queues.values().reduce((sum, { waiting }) => sum + waiting.length, 0);
}

/** The first of those with the least at work. */
function findIdlest<One extends { atWork: number }>(
  among: ReadonlyMap<string, One>,
  mayStart: (one: One) => boolean,
): One | undefined {
  let idlest: One | undefined;
  for (const one of among.values())
    if (mayStart(one) && (!idlest || one.atWork < idlest.atWork)) idlest = one;
  return idlest;
}

/** Returns the longest; among equals the one with the most at work, and never the newest. */
function findLongest<One extends { atWork: number }>(
  among: ReadonlyMap<string, One>,
  lengthOf: (one: One) => number,
  newest: One | undefined,
): One {
  const others = [...among.values()].filter((one) => one !== newest);
  const all = newest ? [...others, newest] : others;
  return all.reduce((longest, one) => {
    const more = lengthOf(one) - lengthOf(longest) || (one === newest ? 0 : one.atWork - longest.atWork);
    return more > 0 ? one : longest;
  });
}

/** Moves an entry behind those that have waited since. */
function moveToEnd<One>(among: Map<string, One>, name: string, one: One): void {
  among.delete(name);
  among.set(name, one);
}

/** Error of a request whose connection is closed; it is never sent. */
function disconnectedError(): AppError {
  return new AppError('VALIDATION_ERROR', 'The client disconnected');
}
