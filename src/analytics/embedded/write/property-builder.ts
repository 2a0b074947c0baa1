import type { SegmentProperties, SegmentProperty } from '../segment/properties.ts';
import { LocalCodes } from './local-codes.ts';
import type { PropertyCode } from './new-event.ts';

type Rows = { events: number[]; values: number[]; numeric: number[]; codes: LocalCodes };

/** The properties of a segment that is being built. */
export class PropertyBuilder {
  readonly #rows = new Map<number, Rows>();
  /** Likely start of the next run of each property: runs arrive in order. */
  readonly #next = new Map<SegmentProperty, number>();

  addEvent(at: number, properties: readonly PropertyCode[]): void {
    for (const { key, value, isNumber } of properties) this.#add(key, at, value, isNumber ? 1 : 0);
  }

  addRun(source: SegmentProperties, from: number, to: number, at: number): void {
    for (const [key, property] of source) {
      const { events, values, numeric, codes } = property;
      let row = this.#next.get(property) ?? 0;
      if (row > 0 && (events[row - 1] as number) >= from) row = 0;
      while (row < events.length && (events[row] as number) < from) row += 1;
      for (; row < events.length && (events[row] as number) < to; row += 1)
        this.#add(
          key,
          (events[row] as number) - from + at,
          codes[values[row] as number] as number,
          numeric[row] as number,
        );
      this.#next.set(property, row);
    }
  }

  #add(key: number, event: number, value: number, isNumber: number): void {
    let rows = this.#rows.get(key);
    if (!rows) {
      rows = { events: [], values: [], numeric: [], codes: new LocalCodes() };
      this.#rows.set(key, rows);
    }
    rows.events.push(event);
    rows.values.push(rows.codes.place(value));
    rows.numeric.push(isNumber);
  }

  /** Returns the properties in the order of their keys. */
  finish(): SegmentProperties {
    const sorted = [...this.#rows].sort(([a], [b]) => a - b);
    return new Map(
      sorted.map(([key, { events, values, numeric, codes }]) => [
        key,
        {
          events: Uint16Array.from(events),
          values: Uint16Array.from(values),
          numeric: Uint8Array.from(numeric),
          codes: Uint32Array.from(codes.codes),
        },
      ]),
    );
  }
}
