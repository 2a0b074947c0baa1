import type { Segment } from '../segment/segment.ts';
import { segmentsIn } from './segments-in.ts';
import type { Source } from './source.ts';

/**
 * The visits of each segment that are the first ones of their visitor and class, as far as the log goes back. Segments are
 * in the order of days, and somebody's visits of one class within a day in the order of time: the first that is met is the
 * first. Nothing of it is kept, because a late event or a removal anywhere may change it.
 *
 * @param toMs visits that begin from here on are left out
 * @param use `visits` are ascending, and good during the call
 */
export function eachFirstVisits(
  { website, pool, arena }: Source,
  toMs: number,
  use: (segment: Segment, visits: Uint16Array) => void,
): void {
  arena.during(() => {
    // By code of the visitor: a bit for each class that was met.
    const met = arena.u8(website.dictionaries.visitors.count + 1);
    const found = arena.u16(2 ** 16);
    for (const segment of segmentsIn(website.segments, Number.NEGATIVE_INFINITY, toMs))
      pool.use(segment, () => {
        const visitor = segment.column('visitor');
        const classes = segment.column('class');
        let count = 0;
        for (let visit = 0; visit < segment.visitCount; visit += 1) {
          const code = visitor[visit] as number; // visits are within the columns, and codes below the count
          const bit = 1 << (classes[visit] as number);
          const known = met[code] as number;
          met[code] = known | bit;
          found[count] = visit;
          count += ((known & bit) - 1) >>> 31; // 1 when it was not met, without a branch
        }
        arena.during(() => use(segment, found.subarray(0, count)));
      });
  });
}
