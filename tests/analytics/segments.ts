import {
  COLUMN_TYPES,
  type ColumnName,
  EVENT_CODES,
  FACT_DIMENSIONS,
  LOCAL_DICTIONARIES,
} from '../../src/analytics/embedded/segment/schema.ts';
import type { Segment } from '../../src/analytics/embedded/segment/segment.ts';
import { buildSegment } from '../../src/analytics/embedded/write/build-segment.ts';
import type { NewEvent } from '../../src/analytics/embedded/write/new-event.ts';

type Codes = Pick<NewEvent, (typeof EVENT_CODES)[number]>;

/** Everything that a segment holds. */
export function contentOf(segment: Segment) {
  const columns = (Object.keys(COLUMN_TYPES) as ColumnName[]).map((name) => [name, segment.kept(name)]);
  const codes = LOCAL_DICTIONARIES.map((name) => [name, segment.codes(name)]);
  return { header: segment.header, columns, codes, properties: [...segment.properties()] };
}

/** A segment of visits of one pageview each, by different visitors, of whom nothing is alike. */
export function differentVisits(count: number, day = 0): Segment {
  const visits = Array.from({ length: count }, (_, index) => {
    const own = index + 1;
    const facts = FACT_DIMENSIONS.map(() => own);
    const properties = [{ key: 1, value: own, isNumber: false }];
    const atMs = day * 86_400_000 + index;
    const codes = Object.fromEntries(EVENT_CODES.map((name) => [name, own])) as Codes; // one for each
    const ids = { key: own, visitor: own, session: own };
    const event: NewEvent = { ...codes, ...ids, class: 0, atMs, eventType: 1, facts, properties };
    return {
      visit: { visitor: own, class: 0, startMs: atMs, facts, events: [{ key: own, atMs, new: event }] },
    };
  });
  return buildSegment(1, day, visits);
}
