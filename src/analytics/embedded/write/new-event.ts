import type { EVENT_CODES } from '../segment/schema.ts';

/** A property of an event, by the codes of the website's dictionaries. */
export type PropertyCode = { key: number; value: number; isNumber: boolean };

/** An event on its way into a segment. Codes are of the website's dictionaries; 0 is absent. */
export type NewEvent = Record<(typeof EVENT_CODES)[number], number> & {
  key: number;
  atMs: number;
  visitor: number;
  class: number;
  /** Index into EVENT_TYPES, plus 1. */
  eventType: number;
  /** A hash of 53 bits. */
  session: number;
  /** What it says of a visit that it begins, in the order of FACT_DIMENSIONS. */
  facts: readonly number[];
  properties: readonly PropertyCode[];
};
