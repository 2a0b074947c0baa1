import type { LocalDatabase } from '../db/local-database.ts';
import { discardYoung } from '../garbage.ts';
import { decodeU32, lengthOf, openColumns, sumOf } from './column-codec.ts';
import type { DayCache } from './day-cache.ts';
import type { Days } from './days.ts';
import { type DayDigest, DIGEST_COLUMNS, decodeDigest } from './digest.ts';
import type { Tail } from './tail.ts';
import { visitorsState } from './visitor-numbers.ts';
import { stretchOf, type VisitorUnions } from './visitor-unions.ts';
import type { WebsiteTerms } from './website-terms.ts';

/** What headlines read of a day with events: most often the sums, and who was there. */
export type HeadlineDay = {
  day: number;
  /** Ascending. */
  visitor: Uint32Array;
  /** Of the whole day: parts of visits, and pageviews. */
  visits: number;
  pageviews: number;
  /** Whether visits may go on from the day before, and into the day after. */
  hasHeads: boolean;
  hasTails: boolean;
  digest(): DayDigest;
};

export type HeadlineSource = {
  /** The days of [fromDay, toDay] that have events, ascending. */
  days(websiteKey: number, fromDay: number, toDay: number): Generator<HeadlineDay>;
  /** Numbers of visitors are not above this. */
  visitorCount(websiteKey: number): number;
  daysOf(websiteKey: number): Days;
  /** Who was there in a stretch of days, if it is known (see visitor-unions). */
  union(websiteKey: number, stretch: number): Uint32Array | undefined;
  keepUnion: VisitorUnions['keep'];
};

type Parts = {
  database: LocalDatabase;
  tail: Tail;
  /** The dictionaries of a website when they are in memory, as they are while it has open days. */
  knownTerms: (websiteKey: number) => WebsiteTerms | undefined;
  daysOf: (websiteKey: number) => Days;
  cache: DayCache;
};

/** Digests that are read at once: of many quiet websites, reading each by itself took six times as long. */
const DIGESTS_A_READ = 64;
/** Larger ones are read by themselves. */
const SMALL_BYTES_MAX = 2_048;
/** Days of a question whose digests are kept in memory, unpacked, however small. Of more, most would push each other out. */
const KEPT_DAYS_MAX = 1_000;

/** @returns a source for one question */
export function createHeadlineSources({
  database,
  tail,
  knownTerms,
  daysOf,
  cache,
}: Parts): () => HeadlineSource {
  // Rows of these statements have the columns that they name.
  const listStored = database
    .prepare('SELECT day FROM day_blocks WHERE website_key = ? AND day BETWEEN ? AND ?')
    .raw();
  const readSmall = database
    .prepare(
      `SELECT day, data FROM day_columns WHERE website_key = ? AND day BETWEEN ? AND ? AND name = 'digest'
         AND length(data) <= ${SMALL_BYTES_MAX} ORDER BY day LIMIT ${DIGESTS_A_READ}`,
    )
    .raw();
  const readState = database.prepare('SELECT value FROM analytics_state WHERE name = ?').raw();

  function numbers(websiteKey: number, fromDay: number, toDay: number): number[] {
    const stored = listStored.all([websiteKey, fromDay, toDay]) as [day: number][];
    const open = knownTerms(websiteKey) ? tail.openDays(websiteKey) : [];
    const found = new Set(stored.map(([day]) => day));
    for (const day of open) if (day >= fromDay && day <= toDay) found.add(day);
    return [...found].sort((a, b) => a - b);
  }

  /** The small digests of a website's days, packed; to be asked for in ascending order. */
  function openSmall(websiteKey: number, toDay: number): (day: number) => Uint8Array | undefined {
    let read = new Map<number, Uint8Array>();
    let untilDay = Number.NEGATIVE_INFINITY;
    return (day) => {
      if (day > untilDay) {
        read = new Map(readSmall.all([websiteKey, day, toDay]) as [day: number, data: Uint8Array][]);
        untilDay = read.size < DIGESTS_A_READ ? toDay : Math.max(...read.keys());
        discardYoung([...read.values()].reduce((bytes, { byteLength }) => bytes + byteLength, 0));
      }
      const packed = read.get(day);
      return packed && openColumns(packed);
    };
  }

  /** Without the dictionaries: opening those of a website costs more than answering from it. */
  function visitorCount(websiteKey: number): number {
    const known = knownTerms(websiteKey);
    if (known) return known.visitors.count();
    const [row] = readState.all([visitorsState(websiteKey)]) as [value: number][];
    return row?.[0] ?? 0;
  }

  /** A day that events are being added to would be out of date with the next one. */
  const keepUnion: VisitorUnions['keep'] = (websiteKey, stretch, bits, marks) => {
    const isOpen = tail.openDays(websiteKey).some((day) => stretchOf(day) === stretch);
    if (!isOpen) cache.unions.keep(websiteKey, stretch, bits, marks);
  };

  return () => {
    cache.beginScan();
    let seenDays = 0;

    function* days(websiteKey: number, fromDay: number, toDay: number): Generator<HeadlineDay> {
      const own = daysOf(websiteKey);
      const smallOf = openSmall(websiteKey, toDay);
      for (const day of numbers(websiteKey, fromDay, toDay)) {
        seenDays += 1;
        let packed: Uint8Array | undefined;
        const digest = own.digest(day, () => {
          packed = smallOf(day);
          return packed && seenDays <= KEPT_DAYS_MAX ? decodeDigest(day, packed) : undefined;
        });
        if (digest) yield fromDigest(digest);
        else if (packed) yield fromPacked(day, packed);
        else {
          const large = own.digest(day);
          if (large) yield fromDigest(large);
        }
      }
    }

    return { days, visitorCount, daysOf, union: cache.unions.get, keepUnion };
  };
}

/** From a digest as it is stored, without unpacking more than is needed of most. */
function fromPacked(day: number, bytes: Uint8Array): HeadlineDay {
  const visitor = decodeU32(bytes, DIGEST_COLUMNS.visitor); // steps from one to the next
  for (let index = 1; index < visitor.length; index += 1)
    visitor[index] = (visitor[index] as number) + (visitor[index - 1] as number); // within the column
  let digest: DayDigest | undefined;
  return {
    day,
    visitor,
    visits: sumOf(bytes, DIGEST_COLUMNS.starts),
    pageviews: sumOf(bytes, DIGEST_COLUMNS.pageviews),
    hasHeads: lengthOf(bytes, DIGEST_COLUMNS.headVisitor) > 0,
    hasTails: lengthOf(bytes, DIGEST_COLUMNS.tailVisitor) > 0,
    digest: () => {
      digest ??= decodeDigest(day, bytes);
      return digest;
    },
  };
}

function fromDigest(digest: DayDigest): HeadlineDay {
  const { day, visitor, starts, pageviews, headVisitor, tailVisitor } = digest;
  return {
    day,
    visitor,
    visits: sum(starts),
    pageviews: sum(pageviews),
    hasHeads: headVisitor.length > 0,
    hasTails: tailVisitor.length > 0,
    digest: () => digest,
  };
}

function sum(bySlot: Uint32Array): number {
  let total = 0;
  for (let slot = 0; slot < bySlot.length; slot += 1) total += bySlot[slot] as number; // within the column
  return total;
}
