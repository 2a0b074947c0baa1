/** Runs work one at a time, in the order in which it came. */
export type Queue = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Makes a queue. A caller receives the rejection of its own work; the work behind it runs all the same. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
