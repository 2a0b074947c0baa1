import type { AppError } from '../errors.ts';

type Bounds = {
  /** Pieces of work of this line at a time. */
  atWorkMax: number;
  /** Pieces that may wait in it. */
  waitingMax: number;
};

type Options<Name extends string> = {
  /** Pieces of work at a time, of all lines together. */
  atWorkMax: number;
  /** The first ones come first. */
  lines: Record<Name, Bounds>;
  /** Thrown at what finds its line full. */
  refusal: () => AppError;
};

/**
 * Several lines share a few places. A free place goes to the line with the least at work; of two alike, to the one
 * that is named first. So a long line keeps no other one waiting for longer than one piece of work takes.
 */
export function createLines<Name extends string>({ atWorkMax, lines, refusal }: Options<Name>) {
  const states = new Map(
    (Object.entries(lines) as [Name, Bounds][]).map(([name, bounds]) => [
      name,
      { ...bounds, atWork: 0, waiting: [] as (() => void)[] },
    ]),
  );
  let atWork = 0;

  function startNext(): void {
    while (atWork < atWorkMax) {
      const [next] = [...states.values()]
        .filter((line) => line.waiting.length > 0 && line.atWork < line.atWorkMax)
        .sort((a, b) => a.atWork - b.atWork);
      const start = next?.waiting.shift();
      if (!next || !start) return;
      next.atWork += 1;
      atWork += 1;
      start();
    }
  }

  return async function inLine<Result>(name: Name, work: () => Promise<Result>): Promise<Result> {
    const line = states.get(name);
    if (!line || line.waiting.length >= line.waitingMax) throw refusal();
    await new Promise<void>((start) => {
      line.waiting.push(start);
      startNext();
    });
    try {
      return await work();
    } finally {
      line.atWork -= 1;
      atWork -= 1;
      startNext();
    }
  };
}
