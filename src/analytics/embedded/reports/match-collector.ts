import type { EventPosition } from '../../../log/event.ts';
import { toEventType } from '../../../log/event-type.ts';
import type { Matched } from '../../interface/people.ts';
import { eachHit, eachHitAmong } from '../query/matches.ts';
import type { SelectionVector } from '../query/select.ts';
import type { Source } from '../query/source.ts';
import { compareMoments, type Grouping, hasWanted, idsIn } from './group-collector.ts';
import { createMoneyReader } from './money.ts';
import { Takings } from './takings.ts';

type Match = {
  events: number;
  last: EventPosition;
  type: number;
  page: number;
  name: number;
  takings: Takings;
};

/** Collects what of some groups matches a filter: the number of events, their revenue, and the last one. */
export class MatchCollector {
  readonly #matches = new Map<number, Match>();
  readonly #readMoney: ReturnType<typeof createMoneyReader>;

  constructor(
    readonly by: Grouping,
    readonly wanted: ReadonlySet<number>,
    readonly source: Source,
  ) {
    this.#readMoney = createMoneyReader(source);
  }

  add(vector: SelectionVector): void {
    const { segment } = vector;
    if (!hasWanted(segment, this.by, (id) => this.wanted.has(id))) return;
    const idOf = idsIn(segment, this.by);
    const [atMs, key, type] = [segment.column('atMs'), segment.column('key'), segment.column('eventType')];
    const codeOf = (dimension: 'page' | 'event', event: number) =>
      segment.codes(dimension)[segment.codeColumn(dimension)[event] as number] as number;
    eachHit(vector, (event, visit) => {
      const id = idOf(event, visit);
      if (!this.wanted.has(id)) return;
      const last = { atMs: segment.dayMs + (atMs[event] as number), key: key[event] as number };
      const known = this.#matches.get(id);
      if (known) known.events += 1;
      if (known && compareMoments(last, known.last) <= 0) return;
      const facts = {
        last,
        type: type[event] as number,
        page: codeOf('page', event),
        name: codeOf('event', event),
      };
      if (known) Object.assign(known, facts);
      else this.#matches.set(id, { events: 1, takings: new Takings(), ...facts });
    });
    const money = this.#readMoney(segment);
    if (!money) return;
    const { events, values, currency, currencies, minor } = money;
    eachHitAmong(events, vector, (event, visit, row) => {
      const value = values[row] as number;
      const takings = this.#matches.get(idOf(event, visit))?.takings;
      takings?.add(currencies[currency[value] as number] as string, minor[value] as number);
    });
  }

  matchedOf(id: number): Matched | undefined {
    const match = this.#matches.get(id);
    if (!match) return undefined;
    const { dictionaries } = this.source.website;
    return {
      events: match.events,
      lastAtMs: match.last.atMs,
      eventType: toEventType(match.type - 1),
      page: dictionaries.get('page').text(match.page) || null,
      name: dictionaries.get('event').text(match.name) || null,
      revenue: match.takings.toRevenue(),
    };
  }
}
