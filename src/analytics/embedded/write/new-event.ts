import type { EVENT_CODES } from '../segment/schema.ts';

/** A property of an event, in codes of the website's dictionaries. */
export type PropertyCode = { key: number; value: number; isNumber: boolean };

/** An event to be put into a segment. Codes are of the website's dictionaries; 0 is absent. */
export type NewEvent = Record<(typeof EVENT_CODES)[number], number> & {
  key: number;
  atMs: number;
  visitor: number;
  class: number;
  /** Index into EVENT_TYPES, plus 1. */
  eventType: number;
  /** 53-bit hash. */
  session: number;
  /** The facts of a visit that begins with it, in the order of FACT_DIMENSIONS. */
  facts: readonly number[];
  properties: readonly PropertyCode[];
};
