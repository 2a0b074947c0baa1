import type { Day } from '../day.ts';
import type { VisitAxis } from '../filter.ts';
import type { Selection } from '../selection.ts';
import { type CountColumns, createCounts } from './figures.ts';
import { PairSet } from './pair-set.ts';

/** One dimension of an axis: which value each number of the axis has (its page, its country). */
export type Fold = {
  /** By the axis's number; undefined when the numbers are the values. */
  numbers: Uint32Array | undefined;
  valueCount: number;
};

export type VisitBreakdown = {
  add(day: Day, selection: Selection): void;
  /** The counts of one of the folds. */
  finish(fold: number): CountColumns;
};

/**
 * Counts all dimensions of one axis (client, origin, entry page, exit page) together: by the axis's number during the
 * scan, folded into values at the end. Distinct visitors of a value: a visitor is counted under the first number that
 * it comes with; another number later (few visitors have one) is looked at value by value.
 *
 * @param size         numbers of the axis are below this
 * @param visitorCount the greatest number of a visitor
 */
export function createVisitBreakdown(
  axis: VisitAxis,
  size: number,
  visitorCount: number,
  folds: readonly Fold[],
): VisitBreakdown {
  const counts = createCounts(size);
  const firstNumber = new Uint32Array(visitorCount + 1); // + 1; 0: not yet seen
  const lastNumber = firstNumber.slice();
  const others = folds.map(({ valueCount }) => ({
    pairs: new PairSet(),
    visitors: new Uint32Array(valueCount),
  }));

  function add(day: Day, { count, visits: selected, pageviews, events }: Selection): void {
    const column = day[axis];
    const { visitor, first, durationMs, pageviews: views } = day;
    for (let index = 0; index < count; index += 1) {
      // Numbers of visits, visitors and the axis are within their columns.
      const visit = selected[index] as number;
      const number = column[visit] as number;
      const person = visitor[visit] as number;
      (counts.visits[number] as number) += 1;
      (counts.pageviews[number] as number) += pageviews[index] as number;
      (counts.events[number] as number) += events[index] as number;
      (counts.durationMs[number] as number) += durationMs[visit] as number;
      if (views[visit] === 1 && (first[visit + 1] as number) - (first[visit] as number) === 1)
        (counts.bounces[number] as number) += 1;
      if (lastNumber[person] === number + 1) continue;
      lastNumber[person] = number + 1;
      if (firstNumber[person] === 0) {
        firstNumber[person] = number + 1;
        (counts.visitors[number] as number) += 1;
      } else addOther(person, number);
    }
  }

  function addOther(person: number, number: number): void {
    const firstOfPerson = (firstNumber[person] as number) - 1;
    for (let fold = 0; fold < folds.length; fold += 1) {
      // Both lists have the length of folds.
      const { numbers, valueCount } = folds[fold] as Fold;
      const other = others[fold] as (typeof others)[number];
      const value = numbers ? (numbers[number] as number) : number;
      const firstValue = numbers ? (numbers[firstOfPerson] as number) : firstOfPerson;
      if (value !== firstValue && other.pairs.add(person, value, valueCount))
        (other.visitors[value] as number) += 1;
    }
  }

  function finish(fold: number): CountColumns {
    const { numbers, valueCount } = folds[fold] as Fold;
    const folded = createCounts(valueCount);
    for (const [name, column] of Object.entries(counts) as [keyof CountColumns, Float64Array][]) {
      const into = folded[name];
      for (let number = 0; number < size; number += 1) {
        const value = numbers ? (numbers[number] as number) : number;
        (into[value] as number) += column[number] as number;
      }
    }
    others[fold]?.visitors.forEach((extra, value) => {
      (folded.visitors[value] as number) += extra;
    });
    return folded;
  }

  return { add, finish };
}
