import fc from 'fast-check';

/** A key that is there in so many of ten cases, about. */
export type Seldom<T> = { often: number; of: fc.Arbitrary<T> };

export function seldom<T>(often: number, of: fc.Arbitrary<T>): Seldom<T> {
  return { often, of };
}

/** A record whose keys may be absent, so that literals are short and shrink to the plainest. */
export function sometimes<T extends object>(
  keys: { [K in keyof T]: Seldom<T[K]> },
): fc.Arbitrary<Partial<T>> {
  const entries = Object.entries<Seldom<unknown>>(keys).map(([key, { often, of }]) =>
    fc.oneof(
      { withCrossShrink: true },
      { weight: 10 - often, arbitrary: fc.constant([]) },
      { weight: often, arbitrary: of.map((value) => [[key, value]]) },
    ),
  );
  return fc.tuple(...entries).map((present) => Object.fromEntries(present.flat()) as Partial<T>); // the keys of T with values of their arbitraries
}
