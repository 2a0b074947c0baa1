import { AppError } from '../vocabulary/errors.ts';

type Options = {
  /** Pieces of work at a time. */
  atWorkMax: number;
  /** Of one line at a time. Default: all of them. */
  atWorkOfOneMax?: number;
  /** Pieces that may wait for their turn, in all lines together. */
  waitingMax: number;
  /** Thrown at what comes beyond them. */
  refusal: () => AppError;
};

/** Says that nobody waits for the work any more. Looked at whenever work comes or ends. */
export type Gone = { readonly aborted: boolean };

export type Sender = {
  /** Each sender has a line of its own. Default: all are in one. */
  line?: string;
  /** Work whose sender has gone is not begun. */
  signal?: Gone;
};

type Place = { signal: Gone | undefined; start: () => void; refuse: (error: AppError) => void };
type Line = { atWork: number; waiting: Place[] };

/**
 * Lets only so much work run at a time; the rest waits. A free place goes to the line with the least at work, and lines
 * that are alike take turns. When too much waits, the longest line loses its last piece: nobody can take all the places.
 */
export function createTurns({ atWorkMax, atWorkOfOneMax = atWorkMax, waitingMax, refusal }: Options) {
  /** Those with work; the one that was served last comes last. */
  const lines = new Map<string, Line>();
  let atWork = 0;

  function startNext(): void {
    dropGone();
    while (atWork < atWorkMax) {
      const line = findNext();
      const place = line?.waiting.shift();
      if (!line || !place) return;
      line.atWork += 1;
      atWork += 1;
      place.start();
    }
  }

  function findNext(): Line | undefined {
    let next: Line | undefined;
    for (const line of lines.values()) {
      if (line.waiting.length === 0 || line.atWork >= atWorkOfOneMax) continue;
      if (!next || line.atWork < next.atWork) next = line;
    }
    return next;
  }

  function dropGone(): void {
    for (const [name, line] of lines) {
      for (const { signal, refuse } of line.waiting) if (signal?.aborted) refuse(senderGoneError());
      line.waiting = line.waiting.filter(({ signal }) => !signal?.aborted);
      if (line.atWork === 0 && line.waiting.length === 0) lines.delete(name);
    }
  }

  /** @param newest has just become longer: of lines that are alike it is the longest */
  function makeRoom(newest: Line): void {
    const count = lines.values().reduce((sum, { waiting }) => sum + waiting.length, 0);
    if (count <= waitingMax) return;
    const longest = lines.values().reduce((a, b) => (b.waiting.length > a.waiting.length ? b : a), newest);
    longest.waiting.pop()?.refuse(refusal());
  }

  function wait(name: string, signal: Gone | undefined): Promise<Line> {
    const line = lines.get(name) ?? { atWork: 0, waiting: [] };
    lines.set(name, line);
    return new Promise((resolve, refuse) => {
      line.waiting.push({ signal, start: () => resolve(line), refuse });
      startNext();
      makeRoom(line);
    });
  }

  return async function inTurn<Result>(
    work: () => Promise<Result>,
    { line: name = '', signal }: Sender = {},
  ): Promise<Result> {
    const line = await wait(name, signal);
    try {
      return await work();
    } finally {
      line.atWork -= 1;
      atWork -= 1;
      lines.delete(name);
      lines.set(name, line); // behind those that have waited meanwhile
      startNext();
    }
  };
}

/** Nobody hears it, and nothing is wrong with us. */
function senderGoneError(): AppError {
  return new AppError('VALIDATION_ERROR', 'The sender has gone');
}
