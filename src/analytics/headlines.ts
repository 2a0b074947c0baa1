import { EVENT_TYPES } from '../contract/vocabulary.ts';
import type { Headline } from './analytics.ts';
import { CLASSES, DAY_MS, dayOf } from './day.ts';
import type { Days } from './days.ts';
import { type DayDigest, SLOT_MS } from './digest.ts';
import { takeScratch } from './panels/scratch.ts';
import { markDifferent } from './panels/visitor-bits.ts';
import { VISIT_GAP_MS } from './vocabulary.ts';
import type { WebsiteTerms } from './website-terms.ts';

const PAGEVIEW = EVENT_TYPES.indexOf('pageview');

type Range = { fromMs: number; toMs: number; bounds?: readonly number[] };
type Request = Range & { websiteKey: number };
/** A part of a day, in milliseconds since its start. */
type Piece = { digest: DayDigest; fromMs: number; toMs: number };

/** Whether the range has any events of the website. */
export function hasDays(days: Days, { fromMs, toMs }: Range): boolean {
  return toMs > fromMs && days.numbers(dayOf(fromMs), dayOf(toMs - 1)).length > 0;
}

export function emptyHeadline({ websiteKey, bounds }: Request): Headline {
  const zeros = bounds?.slice(1).map(() => 0);
  return { websiteKey, visitors: 0, visits: 0, pageviews: 0, ...(zeros && { points: zeros }) };
}

/**
 * Visitors, visits and pageviews of people, out of the digests of days: a day that counts as a whole, or from its start
 * to a quarter of an hour, or from there to its end, needs no more. Only what is cut in another way is looked up in the
 * day itself, event by event.
 */
export function answerHeadline(request: Request, terms: WebsiteTerms, days: Days): Headline {
  const { websiteKey, fromMs, toMs, bounds = [] } = request;
  const words = (terms.visitors.count() >>> 5) + 1;
  /** A bit for each visitor: seen in the range, seen in the present bucket. */
  const seen = takeScratch(words);
  const seenInBucket = takeScratch(bounds.length > 1 ? words : 0);
  const points = bounds.slice(1).map(() => 0);
  const found = { visitors: 0, visits: 0, pageviews: 0 };
  let bucket = -1;
  let before: DayDigest | undefined;

  for (const number of toMs > fromMs ? days.numbers(dayOf(fromMs), dayOf(toMs - 1)) : []) {
    const digest = days.digest(number);
    if (!digest) continue;
    const startMs = number * DAY_MS;
    const range = cut(digest, fromMs - startMs, toMs - startMs);
    if (!range) continue;
    found.visitors += markVisitors(range, seen, days);
    found.visits += countVisits(range, days);
    found.pageviews += countPageviews(range, days);
    if (before?.day === number - 1)
      found.visits -= countLinks(before, digest, fromMs - (number - 1) * DAY_MS, toMs - startMs);
    before = digest;
    for (let next = Math.max(0, bucket); next < points.length; next += 1) {
      const bucketMs = (bounds[next] ?? 0) - startMs;
      if (bucketMs >= range.toMs) break;
      const piece = cut(
        digest,
        Math.max(range.fromMs, bucketMs),
        Math.min(range.toMs, (bounds[next + 1] ?? 0) - startMs),
      );
      if (!piece) continue;
      const isOwn = bucketMs === 0 && (bounds[next + 1] ?? 0) - startMs === DAY_MS && isWhole(piece);
      if (isOwn) {
        points[next] = digest.visitor.length; // nobody is in it twice, and the bucket is of no other day
        bucket = next;
        continue;
      }
      if (next !== bucket) seenInBucket.fill(0);
      bucket = next;
      points[next] = (points[next] ?? 0) + markVisitors(piece, seenInBucket, days);
    }
  }
  return { websiteKey, ...found, ...(request.bounds && { points }) };
}

/** What of a day lies in [fromMs, toMs). */
function cut(digest: DayDigest, fromMs: number, toMs: number): Piece | undefined {
  const piece = { digest, fromMs: Math.max(0, fromMs), toMs: Math.min(DAY_MS, toMs) };
  return piece.fromMs < piece.toMs ? piece : undefined;
}

function isWhole({ fromMs, toMs }: Piece): boolean {
  return fromMs === 0 && toMs === DAY_MS;
}

/** Begins or ends with the day, and with a slot: visitors and visits follow from their first and last events. */
function isEdge({ fromMs, toMs }: Piece): boolean {
  return (fromMs === 0 || toMs === DAY_MS) && isAligned(fromMs, toMs);
}
function isAligned(fromMs: number, toMs: number): boolean {
  return fromMs % SLOT_MS === 0 && toMs % SLOT_MS === 0;
}

/** @returns how many visitors were not marked before */
function markVisitors(piece: Piece, bits: Uint32Array, days: Days): number {
  if (!isEdge(piece)) return markByEvents(piece, bits, days);
  const { visitor, firstSlot, lastSlot } = piece.digest;
  if (isWhole(piece)) return markDifferent(visitor, bits);
  const fromSlot = piece.fromMs / SLOT_MS;
  const toSlot = piece.toMs / SLOT_MS;
  let marked = 0;
  for (let index = 0; index < visitor.length; index += 1) {
    // Indexes are within the columns, and visitors within the bits.
    if ((lastSlot[index] as number) < fromSlot || (firstSlot[index] as number) >= toSlot) continue;
    const person = visitor[index] as number;
    const word = bits[person >>> 5] as number;
    const bit = 1 << (person & 31);
    if ((word & bit) !== 0) continue;
    bits[person >>> 5] = word | bit;
    marked += 1;
  }
  return marked;
}

function markByEvents(piece: Piece, bits: Uint32Array, days: Days): number {
  let marked = 0;
  eachPart(piece, days, (person, _views) => {
    const word = bits[person >>> 5] ?? 0;
    const bit = 1 << (person & 31);
    if ((word & bit) !== 0) return;
    bits[person >>> 5] = word | bit;
    marked += 1;
  });
  return marked;
}

/** Parts of visits: those that go across midnight are two. */
function countVisits(piece: Piece, days: Days): number {
  const { digest, fromMs, toMs } = piece;
  if (isEdge(piece)) return fromMs === 0 ? sum(digest.starts, 0, toMs) : sum(digest.ends, fromMs, toMs);
  let visits = 0;
  eachPart(piece, days, () => {
    visits += 1;
  });
  return visits;
}

function countPageviews(piece: Piece, days: Days): number {
  if (isAligned(piece.fromMs, piece.toMs)) return sum(piece.digest.pageviews, piece.fromMs, piece.toMs);
  let pageviews = 0;
  eachPart(piece, days, (_person, views) => {
    pageviews += views;
  });
  return pageviews;
}

function sum(bySlot: Uint32Array, fromMs: number, toMs: number): number {
  return bySlot.subarray(fromMs / SLOT_MS, toMs / SLOT_MS).reduce((total, count) => total + count, 0);
}

/** The parts of visits of people that have an event in the piece, with their pageviews in it. */
function eachPart(
  { digest, fromMs, toMs }: Piece,
  days: Days,
  visitPart: (person: number, pageviews: number) => void,
): void {
  const day = days.get(digest.day);
  if (!day) return;
  const { visitCount, visitor, class: classes, first, atMs, type } = day;
  for (let visit = 0; visit < visitCount; visit += 1) {
    if (classes[visit] !== CLASSES.people) continue;
    let events = 0;
    let views = 0;
    // Indexes are within the columns.
    for (let event = first[visit] as number; event < (first[visit + 1] as number); event += 1) {
      const at = atMs[event] as number;
      if (at < fromMs || at >= toMs) continue;
      events += 1;
      if (type[event] === PAGEVIEW) views += 1;
    }
    if (events > 0) visitPart(visitor[visit] as number, views);
  }
}

/**
 * Visits that go from one day into the next and have events in the range on both: they were counted twice. The range
 * holds the midnight between them.
 *
 * @param fromMs since the start of the day before; `toMs` since the start of the day after
 */
function countLinks(before: DayDigest, after: DayDigest, fromMs: number, toMs: number): number {
  const { tailVisitor, tailEndMs } = before;
  const { headVisitor, headStartMs } = after;
  let links = 0;
  let head = 0;
  for (let tail = 0; tail < tailVisitor.length; tail += 1) {
    // Indexes are within the columns; of a visitor there is one tail and one head: others would be half an hour away.
    const person = tailVisitor[tail] as number;
    while (head < headVisitor.length && (headVisitor[head] as number) < person) head += 1;
    if (headVisitor[head] !== person) continue;
    const endMs = tailEndMs[tail] as number;
    const startMs = headStartMs[head] as number;
    if (endMs >= fromMs && startMs < toMs && DAY_MS + startMs - endMs <= VISIT_GAP_MS) links += 1;
  }
  return links;
}
