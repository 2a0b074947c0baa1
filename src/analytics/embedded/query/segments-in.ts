import type { Segment } from '../segment/segment.ts';

/** The segments that have events of a range, ascending by day: those of its days, and earlier ones whose visits cross into it. */
export function segmentsIn(segments: readonly Segment[], fromMs: number, toMs: number): Segment[] {
  return segments.filter(({ header }) => header.endMs > fromMs && header.startMs < toMs && fromMs < toMs);
}
