/** Layout of points: a line from edge to edge, or bars next to each other. */
export type ChartKind = 'line' | 'bar';

/** Extent of an axis in pixels. */
type Span = { start: number; length: number };

/** Centre of each point. */
export function toPositions(count: number, { start, length }: Span, kind: ChartKind): number[] {
  const band = bandOf(count, length, kind);
  const first = kind === 'bar' || count === 1 ? start + band / 2 : start;
  return Array.from({ length: count }, (_, index) => first + index * band);
}

/** Distance between points. */
export function bandOf(count: number, length: number, kind: ChartKind): number {
  return kind === 'line' && count > 1 ? length / (count - 1) : length / Math.max(1, count);
}

/** Index of the point nearest to a position, which may be outside; undefined without points. */
export function nearestIndex(positions: readonly number[], x: number): number | undefined {
  const [first] = positions;
  const last = positions.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const band = (last - first) / Math.max(1, positions.length - 1);
  if (band === 0) return 0;
  return Math.min(positions.length - 1, Math.max(0, Math.round((x - first) / band)));
}
