import type { LocalDatabase } from '../../../db/local-database.ts';
import { encodeArrays } from './codec.ts';
import { encodeProperties } from './properties.ts';
import { LOCAL_DICTIONARIES, PART_NAMES, PARTS, type PartName, type StoredPart } from './schema.ts';
import { type ReadPart, Segment, type SegmentHeader } from './segment.ts';

type Row = Omit<SegmentHeader, 'websiteKey' | 'visitCount' | 'eventCount'> & {
  id: number;
  visits: number;
  events: number;
};

export type SegmentStore = {
  /** Lists the segments of a website, ordered by day and visitor. */
  list(websiteKey: number): Segment[];
  /** Encodes a new segment into its stored parts. Call before the transaction that writes them. */
  encode(segment: Segment): EncodedSegment;
  /** @returns the id. Call in a transaction. */
  insert(encoded: EncodedSegment): number;
  remove(segmentId: number): void;
  readonly read: ReadPart;
};
export type EncodedSegment = { header: SegmentHeader; parts: [part: StoredPart, data: Uint8Array][] };

/** Stores the tables `segments` and `segment_parts`. A part's key is its segment's id × PARTS_MAX + the part's number. */
export function createSegmentStore(database: LocalDatabase): SegmentStore {
  const listRows = database.prepare(
    `SELECT id, day, visits, events, first_visitor AS firstVisitor, last_visitor AS lastVisitor, start_ms AS startMs,
       end_ms AS endMs, first_key AS firstKey, last_key AS lastKey, rules
     FROM segments
     WHERE website_key = ?
     ORDER BY day, first_visitor, id`,
  );
  const insertSegment = database.prepare(
    `INSERT INTO segments (website_key, day, visits, events, first_visitor, last_visitor, start_ms, end_ms,
       first_key, last_key, rules) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertPart = database.prepare('INSERT INTO segment_parts (key, data) VALUES (?, ?)');
  const readPart = database.prepare('SELECT data FROM segment_parts WHERE key = ?').raw();
  const removeSegment = database.prepare('DELETE FROM segments WHERE id = ?');
  const removeParts = database.prepare('DELETE FROM segment_parts WHERE key >= ? AND key < ?');

  const read: ReadPart = (segmentId, part) => {
    const row = readPart.get([partKey(segmentId, part)]) as [Uint8Array] | undefined; // the column that it selects
    return row?.[0];
  };

  return {
    read,
    list(websiteKey) {
      const rows = listRows.all([websiteKey]) as Row[]; // the columns that it selects
      return rows.map(({ id, visits, events, ...header }) =>
        Segment.stored(id, { websiteKey, visitCount: visits, eventCount: events, ...header }, read),
      );
    },
    encode,
    insert({ header, parts }) {
      const { websiteKey, day, visitCount, eventCount, ...rest } = header;
      const { firstVisitor, lastVisitor, startMs, endMs, firstKey, lastKey, rules } = rest;
      const row = [websiteKey, day, visitCount, eventCount, firstVisitor, lastVisitor, startMs, endMs];
      const { lastInsertRowid } = insertSegment.run([...row, firstKey, lastKey, rules]);
      const id = Number(lastInsertRowid);
      for (const [part, data] of parts) insertPart.run([partKey(id, part), data]);
      return id;
    },
    remove(segmentId) {
      removeSegment.run([segmentId]);
      removeParts.run([segmentId * PARTS_MAX, (segmentId + 1) * PARTS_MAX]);
    },
  };
}

const PARTS_MAX = 8;

function partKey(segmentId: number, part: StoredPart): number {
  return segmentId * PARTS_MAX + PART_NAMES.indexOf(part);
}

function encode(segment: Segment): EncodedSegment {
  const parts = (Object.keys(PARTS) as PartName[]).map((part): [StoredPart, Uint8Array] => [
    part,
    encodeArrays(PARTS[part].map((name) => segment.kept(name))),
  ]);
  parts.push(['dictionaries', encodeArrays(LOCAL_DICTIONARIES.map((name) => segment.codes(name)))]);
  if (segment.properties().size > 0) parts.push(['properties', encodeProperties(segment.properties())]);
  return { header: segment.header, parts };
}
