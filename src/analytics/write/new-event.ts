/** A property of an event, by the codes of the website's dictionaries. */
export type PropertyCode = { key: number; value: number; isNumber: boolean };

/** An event on its way into a segment. Codes are of the website's dictionaries; 0 is absent. */
export type NewEvent = {
  key: number;
  atMs: number;
  visitor: number;
  class: number;
  /** Index into EVENT_TYPES, plus 1. */
  eventType: number;
  page: number;
  hostname: number;
  event: number;
  /** A hash of 53 bits. */
  session: number;
  /** What it says of a visit that it begins, in the order of FACT_DIMENSIONS. */
  facts: readonly number[];
  properties: readonly PropertyCode[];
};
