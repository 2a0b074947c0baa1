import type { Filter } from '../../analytics/interface/selection.ts';
import { readBound } from '../time/range.ts';
import type { Zone } from '../time/zone.ts';
import { INSTANT_FORM, INSTANT_LENGTH_MAX } from './instants.ts';

const FORM = 'Must be {"from":"2026-11-01","to":"2026-11-20"}, or one of the two';

type Read = { filter: Filter } | { at: string; sentence: string };

/** Reads the operand of `first_seen`: a range as in the parameters `from` and `to`. Either may be omitted. */
export function readFirstSeen([operand, ...more]: unknown[], zone: Zone): Read {
  if (more.length > 0) return { at: '[2]', sentence: 'first_seen takes one range' };
  if (typeof operand !== 'object' || operand === null || Array.isArray(operand))
    return { at: '[1]', sentence: FORM };
  const { from, to, ...others } = operand as Record<string, unknown>; // an object
  if (Object.keys(others).length > 0 || (from === undefined && to === undefined))
    return { at: '[1]', sentence: FORM };
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : readEnd(from, zone, 'from');
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : readEnd(to, zone, 'to');
  if (fromMs === undefined) return { at: '[1].from', sentence: INSTANT_FORM };
  if (toMs === undefined) return { at: '[1].to', sentence: INSTANT_FORM };
  if (fromMs >= toMs) return { at: '[1].to', sentence: 'Must be after from' };
  return { filter: { op: 'first_seen', fromMs, toMs } };
}

function readEnd(value: unknown, zone: Zone, end: 'from' | 'to'): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > INSTANT_LENGTH_MAX) return undefined;
  return readBound(text, zone, end);
}
