import type { Segment } from '../segment/segment.ts';

/**
 * Returns the segments with events in a range, ascending by day: those of its days, and earlier ones whose visits extend
 * into it.
 */
export function segmentsIn(segments: readonly Segment[], fromMs: number, toMs: number): Segment[] {
  return segments.filter(({ header }) => header.endMs > fromMs && header.startMs < toMs && fromMs < toMs);
}
