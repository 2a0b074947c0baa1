import type { Terms } from './terms.ts';

/**
 * A website's clients or origins: each different combination of values is one term, so a visit needs one number for
 * six or eight dimensions, a filter is worked out once for each combination, and a breakdown counts combinations and
 * folds them into values at the end.
 */
export type Tuples = {
  intern(values: readonly string[]): number;
  /** The values of a combination. Empty texts are absent. */
  values(number: number): readonly string[];
  /** Numbers go from 1 to this. */
  count(): number;
  /** For each combination the number of its value in one dimension; 0 is absent. By the combination's number. */
  column(dimension: number): { numbers: Uint32Array; values: readonly string[] };
};

/** @param width how many dimensions there are */
export function createTuples(terms: Terms, width: number): Tuples {
  const columns = Array.from({ length: width }, () => ({
    numbers: new Uint32Array(64),
    lookup: new Map<string, number>([['', 0]]),
    values: [''],
  }));
  let known = 0;
  let isRead = false;

  /** Only when somebody asks: headlines of many websites need no combinations. */
  function read(): void {
    if (isRead) return;
    isRead = true;
    terms.each((number, text) => learn(number, JSON.parse(text) as string[])); // written by intern
  }

  function learn(number: number, tuple: readonly string[]): void {
    known = Math.max(known, number);
    columns.forEach((column, dimension) => {
      if (number >= column.numbers.length) {
        const larger = new Uint32Array(number * 2);
        larger.set(column.numbers);
        column.numbers = larger;
      }
      const value = tuple[dimension] ?? '';
      let index = column.lookup.get(value);
      if (index === undefined) {
        index = column.values.length;
        column.values.push(value);
        column.lookup.set(value, index);
      }
      column.numbers[number] = index;
    });
  }

  return {
    intern(values) {
      read();
      const number = terms.intern(JSON.stringify(values));
      if (number > known) learn(number, values);
      return number;
    },
    values(number) {
      read();
      return columns.map(({ numbers, values }) => values[numbers[number] ?? 0] ?? '');
    },
    count() {
      read();
      return known;
    },
    column(dimension) {
      read();
      const column = columns[dimension];
      if (!column) throw new RangeError(`There is no dimension ${dimension}.`);
      return column;
    },
  };
}
