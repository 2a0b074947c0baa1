import { EVENT_TYPES } from '../contract/vocabulary.ts';
import type { Headline, HeadlinesRequest } from './analytics.ts';
import { CLASSES, DAY_MS, dayOf } from './day.ts';
import type { Days } from './days.ts';
import { SLOT_MS } from './digest.ts';
import type { HeadlineDay, HeadlineSource } from './headline-days.ts';
import { beginScratch, takeScratch } from './panels/scratch.ts';
import { markDifferent } from './panels/visitor-bits.ts';
import { countSet } from './visitor-unions.ts';
import { VISIT_GAP_MS } from './vocabulary.ts';
import { WholeDays } from './whole-days.ts';

const PAGEVIEW = EVENT_TYPES.indexOf('pageview');

type Range = Omit<HeadlinesRequest, 'websiteKeys'>;
/** A part of a day, in milliseconds since its start. */
type Piece = { day: HeadlineDay; fromMs: number; toMs: number };

/**
 * Visitors, visits and pageviews of people, out of the digests of days: a day that counts as a whole, or from its start
 * to a quarter of an hour, or from there to its end, needs no more. Only what is cut in another way is looked up in the
 * day itself, event by event.
 */
export function answerHeadlines(
  { websiteKeys, ...range }: HeadlinesRequest,
  source: HeadlineSource,
): Headline[] {
  return websiteKeys.map((websiteKey) => answerHeadline(websiteKey, range, source));
}

function answerHeadline(websiteKey: number, range: Range, source: HeadlineSource): Headline {
  const { fromMs, toMs, bounds = [] } = range;
  const days = source.daysOf(websiteKey);
  const points = bounds.slice(1).map(() => 0);
  const found = { visitors: 0, visits: 0, pageviews: 0 };
  let bits: Bits | undefined;
  let wholeDays: WholeDays | undefined;
  let bucket = -1;
  let before: HeadlineDay | undefined;

  for (const day of toMs > fromMs ? source.days(websiteKey, dayOf(fromMs), dayOf(toMs - 1)) : []) {
    const startMs = day.day * DAY_MS;
    const inRange = cut(day, fromMs - startMs, toMs - startMs);
    if (!inRange) continue;
    bits ??= takeBits(source.visitorCount(websiteKey), points.length > 0); // of many websites most may be idle
    wholeDays ??= new WholeDays(source, websiteKey, range, bits.range);
    if (isWhole(inRange)) wholeDays.mark(day);
    else markVisitors(inRange, bits.range, days);
    found.visits += countVisits(inRange, days);
    found.pageviews += countPageviews(inRange, days);
    if (before?.day === day.day - 1)
      found.visits -= countLinks(before, day, fromMs - (day.day - 1) * DAY_MS, toMs - startMs);
    before = day;
    for (let next = Math.max(0, bucket); next < points.length; next += 1) {
      const bucketMs = (bounds[next] ?? 0) - startMs;
      if (bucketMs >= inRange.toMs) break;
      const piece = cut(
        day,
        Math.max(inRange.fromMs, bucketMs),
        Math.min(inRange.toMs, (bounds[next + 1] ?? 0) - startMs),
      );
      if (!piece) continue;
      const isOwn = bucketMs === 0 && (bounds[next + 1] ?? 0) - startMs === DAY_MS && isWhole(piece);
      if (isOwn) {
        points[next] = day.visitor.length; // nobody is in it twice, and the bucket is of no other day
        bucket = next;
        continue;
      }
      if (next !== bucket) bits.bucket.fill(0);
      bucket = next;
      points[next] = (points[next] ?? 0) + markVisitors(piece, bits.bucket, days);
    }
  }
  wholeDays?.finish();
  if (bits) found.visitors = countSet(bits.range);
  return { websiteKey, ...found, ...(range.bounds && { points }) };
}

/** A bit for each visitor: seen in the range, seen in the present bucket. */
type Bits = { range: Uint32Array; bucket: Uint32Array };

function takeBits(visitorCount: number, withBuckets: boolean): Bits {
  beginScratch();
  const words = (visitorCount >>> 5) + 1;
  return { range: takeScratch(words), bucket: takeScratch(withBuckets ? words : 0) };
}

/** What of a day lies in [fromMs, toMs). */
function cut(day: HeadlineDay, fromMs: number, toMs: number): Piece | undefined {
  const piece = { day, fromMs: Math.max(0, fromMs), toMs: Math.min(DAY_MS, toMs) };
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
  if (isWhole(piece)) return markDifferent(piece.day.visitor, bits);
  const { visitor, firstSlot, lastSlot } = piece.day.digest();
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
  const { day, fromMs, toMs } = piece;
  if (isWhole(piece)) return day.visits;
  if (isEdge(piece))
    return fromMs === 0 ? sum(day.digest().starts, 0, toMs) : sum(day.digest().ends, fromMs, toMs);
  let visits = 0;
  eachPart(piece, days, () => {
    visits += 1;
  });
  return visits;
}

function countPageviews(piece: Piece, days: Days): number {
  const { day, fromMs, toMs } = piece;
  if (isWhole(piece)) return day.pageviews;
  if (isAligned(fromMs, toMs)) return sum(day.digest().pageviews, fromMs, toMs);
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
  { day: { day: number }, fromMs, toMs }: Piece,
  days: Days,
  visitPart: (person: number, pageviews: number) => void,
): void {
  const day = days.get(number);
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
function countLinks(before: HeadlineDay, after: HeadlineDay, fromMs: number, toMs: number): number {
  if (!before.hasTails || !after.hasHeads) return 0;
  const { tailVisitor, tailEndMs } = before.digest();
  const { headVisitor, headStartMs } = after.digest();
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
