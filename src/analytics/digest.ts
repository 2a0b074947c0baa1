import { EVENT_TYPES } from '../contract/vocabulary.ts';
import { giveBack } from '../garbage.ts';
import { decodeU8, decodeU32, encodeColumns, openColumns } from './column-codec.ts';
import { CLASSES, DAY_MS, type Day } from './day.ts';
import { jointsOf } from './joints.ts';

const PAGEVIEW = EVENT_TYPES.indexOf('pageview');

/** The midnights of all time zones lie between two of these parts of a UTC day. */
export const SLOT_MS = 15 * 60_000;
export const SLOTS_A_DAY = DAY_MS / SLOT_MS;

/**
 * What headlines need of a day of people: who was there, and when first and last. A twentieth of the day itself, so
 * that a month of many websites is counted without unpacking their days. Like the day's block it follows from the
 * events of the day alone and is written with it.
 */
export type DayDigest = {
  day: number;
  /** Ascending. */
  visitor: Uint32Array;
  /** By visitor: the slot of the first and of the last event. */
  firstSlot: Uint8Array;
  lastSlot: Uint8Array;
  /** By slot: pageviews, and parts of visits that begin and that end in it. */
  pageviews: Uint32Array;
  starts: Uint32Array;
  ends: Uint32Array;
  /** Parts of visits that may go on from the day before and into the day after (see joints), by visitor. */
  headVisitor: Uint32Array;
  headStartMs: Uint32Array;
  tailVisitor: Uint32Array;
  tailEndMs: Uint32Array;
};

export function toDigest(day: Day): DayDigest {
  const { visitCount, visitor, class: classes, first, atMs, type } = day;
  const people = countPeople(day);
  const found = {
    visitor: new Uint32Array(people),
    firstSlot: new Uint8Array(people),
    lastSlot: new Uint8Array(people),
  };
  const pageviews = new Uint32Array(SLOTS_A_DAY);
  const starts = new Uint32Array(SLOTS_A_DAY);
  const ends = new Uint32Array(SLOTS_A_DAY);
  let count = 0;
  for (let visit = 0; visit < visitCount; visit += 1) {
    if (classes[visit] !== CLASSES.people) continue;
    // Indexes below are within their columns by construction; a visitor's visits stand together, in the order of time.
    const from = first[visit] as number;
    const to = first[visit + 1] as number;
    const startSlot = Math.floor((atMs[from] as number) / SLOT_MS);
    const endSlot = Math.floor((atMs[to - 1] as number) / SLOT_MS);
    (starts[startSlot] as number) += 1;
    (ends[endSlot] as number) += 1;
    for (let event = from; event < to; event += 1)
      if (type[event] === PAGEVIEW) (pageviews[Math.floor((atMs[event] as number) / SLOT_MS)] as number) += 1;
    if (count === 0 || found.visitor[count - 1] !== visitor[visit]) {
      found.visitor[count] = visitor[visit] as number;
      found.firstSlot[count] = startSlot;
      count += 1;
    }
    found.lastSlot[count - 1] = endSlot;
  }
  const isOfPeople = (visit: number) => classes[visit] === CLASSES.people;
  const heads = jointsOf(day).heads.filter(isOfPeople);
  const tails = jointsOf(day).tails.filter(isOfPeople);
  return {
    day: day.day,
    ...found,
    pageviews,
    starts,
    ends,
    headVisitor: Uint32Array.from(heads, (visit) => visitor[visit] ?? 0),
    headStartMs: Uint32Array.from(heads, (visit) => atMs[first[visit] ?? 0] ?? 0),
    tailVisitor: Uint32Array.from(tails, (visit) => visitor[visit] ?? 0),
    tailEndMs: Uint32Array.from(tails, (visit) => atMs[(first[visit + 1] ?? 0) - 1] ?? 0),
  };
}

/** Visitors with visits of people. */
function countPeople({ visitCount, visitor, class: classes }: Day): number {
  let count = 0;
  let last = 0; // no visitor's number
  for (let visit = 0; visit < visitCount; visit += 1) {
    if (classes[visit] !== CLASSES.people || visitor[visit] === last) continue;
    last = visitor[visit] as number; // within the column
    count += 1;
  }
  return count;
}

/** The place of each column in a packed digest. */
export const DIGEST_COLUMNS = {
  visitor: 0,
  firstSlot: 1,
  lastSlot: 2,
  pageviews: 3,
  starts: 4,
  ends: 5,
  headVisitor: 6,
  headStartMs: 7,
  tailVisitor: 8,
  tailEndMs: 9,
} as const;

/**
 * Visitors are stored as the distance from the one before: two bytes instead of four.
 *
 * @param digest of which nothing is left afterwards
 */
export function packDigest(digest: DayDigest): Uint8Array {
  const { visitor, firstSlot, lastSlot } = digest;
  for (let index = visitor.length - 1; index > 0; index -= 1)
    (visitor[index] as number) -= visitor[index - 1] as number; // within the column
  const bytes = encodeColumns([
    visitor,
    firstSlot,
    lastSlot,
    digest.pageviews,
    digest.starts,
    digest.ends,
    digest.headVisitor,
    digest.headStartMs,
    digest.tailVisitor,
    digest.tailEndMs,
  ]);
  for (const column of [visitor, firstSlot, lastSlot]) giveBack(column);
  return bytes;
}

export function decodeDigest(day: number, blob: Uint8Array): DayDigest {
  const bytes = openColumns(blob);
  const visitor = decodeU32(bytes, DIGEST_COLUMNS.visitor);
  for (let index = 1; index < visitor.length; index += 1)
    visitor[index] = (visitor[index] as number) + (visitor[index - 1] as number); // within the column
  return {
    day,
    visitor,
    firstSlot: decodeU8(bytes, DIGEST_COLUMNS.firstSlot),
    lastSlot: decodeU8(bytes, DIGEST_COLUMNS.lastSlot),
    pageviews: decodeU32(bytes, DIGEST_COLUMNS.pageviews),
    starts: decodeU32(bytes, DIGEST_COLUMNS.starts),
    ends: decodeU32(bytes, DIGEST_COLUMNS.ends),
    headVisitor: decodeU32(bytes, DIGEST_COLUMNS.headVisitor),
    headStartMs: decodeU32(bytes, DIGEST_COLUMNS.headStartMs),
    tailVisitor: decodeU32(bytes, DIGEST_COLUMNS.tailVisitor),
    tailEndMs: decodeU32(bytes, DIGEST_COLUMNS.tailEndMs),
  };
}

/** What a digest takes in memory. */
export function digestBytes({ visitor, headVisitor, tailVisitor }: DayDigest): number {
  return 2_500 + visitor.length * 6 + (headVisitor.length + tailVisitor.length) * 8;
}
