import { lowerBound } from '../collections/lower-bound.ts';
import type { Segment } from '../segment/segment.ts';
import { eventCountOf, type Piece } from './build-segment.ts';
import type { CutVisit } from './visits.ts';

/** Share to which a cut segment is filled, because most new events continue where the last segment ends. */
export const FILL = 3 / 4;

export function inOrder(visits: readonly CutVisit[]): CutVisit[] {
  return visits.toSorted((a, b) => a.visitor - b.visitor || a.class - b.class || a.startMs - b.startMs);
}

/** Returns the visits of a segment that stay, in runs, with the new visits between them. */
export function piecesOf(
  segment: Segment,
  touched: ReadonlySet<number> | undefined,
  arriving: readonly CutVisit[],
): Piece[] {
  const pieces: Piece[] = [];
  const visitor = segment.column('visitor');
  const classes = segment.column('class');
  const startMs = segment.column('startMs');
  const { visitCount } = segment;
  const gone = [...(touched ?? [])].sort((a, b) => a - b);
  let from = 0;
  let nextGone = 0;
  /** Adds runs up to a visit, without the visits that go. */
  const runTo = (to: number) => {
    while (nextGone < gone.length && (gone[nextGone] as number) < to) {
      const hole = gone[nextGone] as number;
      if (hole > from) pieces.push({ run: segment, from, to: hole });
      from = hole + 1;
      nextGone += 1;
    }
    if (to > from) pieces.push({ run: segment, from, to });
    from = Math.max(from, to);
  };
  let place = 0;
  for (const visit of inOrder(arriving)) {
    place = lowerBound(visitor, visit.visitor, place);
    const start = visit.startMs - segment.dayMs;
    while (
      place < visitCount &&
      visitor[place] === visit.visitor &&
      ((classes[place] as number) < visit.class ||
        (classes[place] === visit.class && (startMs[place] as number) < start))
    )
      place += 1;
    runTo(place);
    pieces.push({ visit });
  }
  runTo(visitCount);
  return pieces;
}

/** Partitions pieces into segments of at most `segmentEvents` events, cut between visitors where possible. */
export function partition(pieces: readonly Piece[], segmentEvents: number): Piece[][] {
  const total = pieces.reduce((sum, piece) => sum + eventCountOf(piece), 0);
  if (total === 0) return [];
  if (total <= segmentEvents) return [[...pieces]];
  const target = Math.max(1, Math.min(segmentEvents, Math.ceil(segmentEvents * FILL)));
  const parts: Piece[][] = [];
  let part: Piece[] = [];
  let size = 0;
  const close = () => {
    if (part.length > 0) parts.push(part);
    part = [];
    size = 0;
  };
  for (const piece of pieces.flatMap((whole) => cutRun(whole, target))) {
    const events = eventCountOf(piece);
    if (size > 0 && size + events > target) close();
    part.push(piece);
    size += events;
  }
  close();
  return parts;
}

/** Splits a long run into parts of less than a tenth of a segment. */
function cutRun(piece: Piece, target: number): Piece[] {
  if ('visit' in piece) return [piece];
  const { run, from, to } = piece;
  const first = run.column('first');
  const step = Math.max(1, Math.floor(target / 10));
  const pieces: Piece[] = [];
  let start = from;
  for (let visit = from + 1; visit <= to; visit += 1) {
    const events = (first[visit] as number) - (first[start] as number);
    if (visit < to && events + (first[visit + 1] as number) - (first[visit] as number) <= step) continue;
    pieces.push({ run, from: start, to: visit });
    start = visit;
  }
  return pieces;
}
