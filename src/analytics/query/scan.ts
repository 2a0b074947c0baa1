import type { Selection } from '../analytics.ts';
import { CLASSES } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';
import type { Traffic } from '../vocabulary.ts';
import { type CompiledFilter, compileFilter } from './filter.ts';
import { segmentsIn } from './segments-in.ts';
import { type SelectionVector, Selector } from './select.ts';
import type { Source } from './source.ts';

const CLASS_MASKS: Record<Traffic, number> = {
  people: 1 << CLASSES.people,
  bots: 1 << CLASSES.bot,
  all: (1 << CLASSES.people) | (1 << CLASSES.bot) | (1 << CLASSES.excluded),
};

/** The matching visits of a selection, segment by segment; may be run several times. */
export class Scan {
  readonly classMask: number;
  readonly segments: readonly Segment[];
  readonly #filter: CompiledFilter;
  readonly #selector: Selector;
  readonly #source: Source;

  constructor(selection: Selection, source: Source, visitor?: number) {
    const { fromMs, toMs, traffic = 'people', filter } = selection;
    this.classMask = CLASS_MASKS[traffic];
    this.#source = source;
    this.#filter = compileFilter(filter, source);
    const options = { fromMs, toMs, classMask: this.classMask, visitor, filter: this.#filter };
    this.#selector = new Selector(options, source.arena);
    this.segments = segmentsIn(source.website.segments, fromMs, toMs).filter(
      ({ facts }) => visitor === undefined || (facts.firstVisitor <= visitor && visitor <= facts.lastVisitor),
    );
  }

  /** @param add the vector, and what the arena gives meanwhile, is good during the call */
  run(add: (vector: SelectionVector) => void): void {
    const { pool, arena } = this.#source;
    for (const segment of this.segments)
      pool.use(segment, () =>
        arena.during(() => {
          const vector = this.#selector.select(segment);
          if (vector.count > 0) add(vector);
        }),
      );
  }
}
