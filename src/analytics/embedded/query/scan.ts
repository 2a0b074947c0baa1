import type { Traffic } from '../../../vocabulary/analytics.ts';
import { CLASSES } from '../../derive/class.ts';
import type { Selection } from '../../interface/selection.ts';
import type { Arena } from '../memory/arena.ts';
import type { Segment } from '../segment/segment.ts';
import { type CompiledFilter, compileFilter } from './filter.ts';
import type { Matches } from './matches.ts';
import { segmentsIn } from './segments-in.ts';
import { type SelectionVector, Selector } from './select.ts';
import type { Source } from './source.ts';

const CLASS_MASKS: Record<Traffic, number> = {
  people: 1 << CLASSES.people,
  bots: 1 << CLASSES.bots,
  all: (1 << CLASSES.people) | (1 << CLASSES.bots) | (1 << CLASSES.excluded),
};

type ScanOptions = { visitor?: number; runsAgain?: boolean };

/** Finds the matching visits of a selection, segment by segment. May run several times. */
export class Scan {
  readonly classMask: number;
  readonly segments: readonly Segment[];
  readonly #filter: CompiledFilter;
  readonly #selector: Selector;
  readonly #source: Source;
  readonly #found: Matches[] | undefined;

  /**
   * @param options.visitor restricts to visits of this visitor
   * @param options.runsAgain keeps the matches for `runAgain`
   */
  constructor(selection: Selection, source: Source, { visitor, runsAgain = false }: ScanOptions = {}) {
    const { fromMs, toMs, traffic = 'people', filter } = selection;
    this.classMask = CLASS_MASKS[traffic];
    this.#source = source;
    this.#filter = compileFilter(filter, source);
    const options = { fromMs, toMs, classMask: this.classMask, visitor, filter: this.#filter };
    this.#selector = new Selector(options, source.arena);
    this.#found = runsAgain ? [] : undefined;
    this.segments = segmentsIn(source.website.segments, fromMs, toMs).filter(
      ({ header }) =>
        visitor === undefined || (header.firstVisitor <= visitor && visitor <= header.lastVisitor),
    );
  }

  /** @param add receives a vector; it and arrays from the arena are valid during the call */
  run(add: (vector: SelectionVector) => void): void {
    const { pool, arena } = this.#source;
    for (const segment of this.segments)
      pool.use(segment, () => {
        const vector = arena.during(() => this.#selector.select(segment));
        if (vector.count === 0) return;
        this.#found?.push(copyMatches(vector, arena));
        arena.during(() => add(vector));
      });
  }

  /** Repeats the matches of `run` without selecting again. */
  runAgain(add: (matches: Matches) => void): void {
    const { pool, arena } = this.#source;
    if (!this.#found) throw new Error('runAgain() needs a scan that kept its matches.');
    for (const matches of this.#found) pool.use(matches.segment, () => arena.during(() => add(matches)));
  }
}

function copyMatches({ segment, count, visits, hits }: SelectionVector, arena: Arena): Matches {
  const kept = arena.u16(count);
  kept.set(visits.subarray(0, count));
  const keptHits = hits && arena.u8(segment.eventCount);
  if (hits) keptHits?.set(hits.subarray(0, segment.eventCount));
  return { segment, count, visits: kept, hits: keptHits };
}
