import type { Segment } from '../segment/segment.ts';
import { segmentsIn } from './segments-in.ts';
import type { Source } from './source.ts';

/**
 * Finds the visits of each segment that are the first of their visitor and class, as far back as the log goes. Segments are
 * in order of days, and a visitor's visits of one class within a day in order of time, so the first one met is the first.
 * Nothing is cached, because a late event or a removal anywhere may change the result.
 *
 * @param toMs visits that begin at or after it are ignored
 * @param use `visits` are ascending, and valid during the call
 */
export function eachFirstVisits(
  { website, pool, arena }: Source,
  toMs: number,
  use: (segment: Segment, visits: Uint16Array) => void,
): void {
  arena.during(() => {
    // Visitor code → a bit for each class met so far.
    const met = arena.u8(website.dictionaries.visitors.count + 1);
    const found = arena.u16(2 ** 16);
    for (const segment of segmentsIn(website.segments, Number.NEGATIVE_INFINITY, toMs))
      pool.use(segment, () => {
        const visitor = segment.column('visitor');
        const classes = segment.column('class');
        let count = 0;
        for (let visit = 0; visit < segment.visitCount; visit += 1) {
          const code = visitor[visit] as number;
          const bit = 1 << (classes[visit] as number);
          const known = met[code] as number;
          met[code] = known | bit;
          found[count] = visit;
          count += ((known & bit) - 1) >>> 31; // 1 when not met before, without a branch
        }
        arena.during(() => use(segment, found.subarray(0, count)));
      });
  });
}
