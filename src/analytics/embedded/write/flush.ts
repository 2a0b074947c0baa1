import type { LocalDatabase } from '../../../db/local-database.ts';
import type { Pool } from '../memory/pool.ts';
import type { Segment } from '../segment/segment.ts';
import type { EncodedSegment, SegmentStore } from '../segment/store.ts';
import { transact, transactInSteps } from './transact.ts';
import type { Website } from './website.ts';

/**
 * Writes what is not on disk of a website: first its dictionaries, in short steps, then in one transaction the segments and
 * the high-water mark. The file is consistent at all times: after a crash, events above the mark are read again. Questions
 * may run in between; the transaction writes the state at its begin. Dictionaries alone may be written earlier: a text is
 * written once, a segment each time it grows.
 */
export function createFlush(database: LocalDatabase, store: SegmentStore, pool: Pool) {
  const writeState = database.prepare(
    `INSERT INTO website_states (website_key, taken_until, visitor_count) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET taken_until = excluded.taken_until, visitor_count = excluded.visitor_count`,
  );

  // Written with the first rows of visitors: after a crash before the last transaction, their codes must not be assigned
  // again.
  const reserveCodes = database.prepare(
    `INSERT INTO website_states (website_key, taken_until, visitor_count) VALUES (?, 0, ?)
       ON CONFLICT DO UPDATE SET visitor_count = excluded.visitor_count`,
  );

  async function flushTexts({ key, dictionaries }: Website): Promise<void> {
    const writes = dictionaries.beginSave();
    const { count } = dictionaries.visitors;
    if (writes.length > 0) writes.unshift(() => void reserveCodes.run([key, count]));
    await transactInSteps(database, writes);
    dictionaries.endSave();
  }

  async function flush(website: Website): Promise<void> {
    const { dictionaries } = website;
    await flushTexts(website);
    const encoded = new Map<Segment, EncodedSegment>();
    for (const segment of website.unsavedSegments()) {
      if (website.segments.includes(segment)) encoded.set(segment, store.encode(segment));
      await Bun.sleep(0);
    }
    const stored = new Map<Segment, number>();
    let replaced: number[] = [];
    const write = () => {
      stored.clear();
      for (const writeText of dictionaries.beginSave()) writeText();
      for (const segment of website.unsavedSegments())
        stored.set(segment, store.insert(encoded.get(segment) ?? store.encode(segment)));
      replaced = website.replacedIds;
      for (const id of replaced) store.remove(id);
      writeState.run([website.key, takenIntoSegments(website), dictionaries.visitors.count]);
    };
    await transact(database, write, () => {
      dictionaries.endSave();
      for (const [segment, id] of stored) {
        segment.wasStored(id, store.read);
        if (segment.pins === 0) pool.forget(segment); // questions may never need it, and the next events need one of many
      }
      website.replacedIds = website.replacedIds.filter((id) => !replaced.includes(id));
      website.firstUnsavedKey = website.waiting[0]?.key;
      website.unsavedCount = website.waiting.length;
      website.hasRemoved = false;
    });
  }

  return { flush, flushTexts };
}

function takenIntoSegments({ waiting: [first], takenUntil }: Website): number {
  return first ? first.key - 1 : takenUntil;
}
