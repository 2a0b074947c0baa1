import type { LocalDatabase } from '../db/local-database.ts';
import { DAYS_MAX, type Day } from './day.ts';
import type { DayStore } from './day-store.ts';
import type { Days } from './days.ts';
import type { StoredId } from './id-numbers.ts';
import type { Tail } from './tail.ts';
import { TERM_KINDS, type TermKind, termsScope } from './terms.ts';
import { transactEach, transactInSteps } from './transact.ts';
import type { WebsiteTerms } from './website-terms.ts';

type Parts = {
  database: LocalDatabase;
  store: DayStore;
  tail: Tail;
  termsOf: (websiteKey: number) => WebsiteTerms;
  daysOf: (websiteKey: number) => Days;
  forgetInMemory: (websiteKey: number) => void;
};

const ROWS_READ = 5_000;

/**
 * Removes from a website's dictionaries the texts and visitors that no day refers to any more: addresses of pages may
 * hold what is personal, and must not outlive the events that they came with. Likewise pieces of a write that was cut off,
 * whose events may have gone from the log before they were read again. Reads every day of the website, as a
 * question about all time does. To be called after the tail has caught up; nothing else may run.
 */
export function createSweep({ database, store, tail, termsOf, daysOf, forgetInMemory }: Parts) {
  const readTerms = database
    .prepare(`SELECT key FROM terms WHERE key > ? AND key < ? ORDER BY key LIMIT ${ROWS_READ}`)
    .raw();
  const deleteTerm = database.prepare('DELETE FROM terms WHERE key = ?');
  // Any text and any bytes are greater than the number that it begins with.
  const readVisitors = database
    .prepare(
      `SELECT visitor_id, number FROM visitors WHERE website_key = ? AND visitor_id > ? ORDER BY visitor_id LIMIT ${ROWS_READ}`,
    )
    .raw();
  const deleteVisitor = database.prepare('DELETE FROM visitors WHERE website_key = ? AND visitor_id = ?');

  return async function sweep(websiteKey: number): Promise<void> {
    await tail.save();
    await transactEach(database, store.strayPieces(websiteKey));
    const used = findUsed(termsOf(websiteKey), daysOf(websiteKey));
    for (const kind of TERM_KINDS) await sweepTerms(websiteKey, kind, used[kind]);
    await sweepVisitors(websiteKey, used.visitor);
    forgetInMemory(websiteKey); // it would give out numbers that are gone
  };

  async function sweepTerms(websiteKey: number, kind: TermKind, used: Uint8Array): Promise<void> {
    const { base, end } = termsScope(websiteKey, kind);
    for (let after = base; ; ) {
      const keys = (readTerms.all([after, end]) as [number][]).map(([key]) => key);
      const unused = keys.filter((key) => used[key - base] !== 1);
      await transactInSteps(
        database,
        unused.map((key) => () => void deleteTerm.run([key])),
      );
      if (keys.length < ROWS_READ) return;
      after = keys.at(-1) ?? end;
    }
  }

  async function sweepVisitors(websiteKey: number, used: Uint8Array): Promise<void> {
    for (let after: StoredId | number = 0; ; ) {
      const rows = readVisitors.all([websiteKey, after]) as [id: StoredId, number: number][];
      const unused = rows.filter(([, number]) => used[number] !== 1);
      await transactInSteps(
        database,
        unused.map(
          ([id]) =>
            () =>
              void deleteVisitor.run([websiteKey, id]),
        ),
      );
      if (rows.length < ROWS_READ) return;
      after = rows.at(-1)?.[0] ?? 0;
    }
  }
}

type Used = Record<TermKind | 'visitor', Uint8Array>;

/** By number: 1 is referred to. */
function findUsed(terms: WebsiteTerms, days: Days): Used {
  const used: Used = {
    page: new Uint8Array(terms.page.count() + 1),
    hostname: new Uint8Array(terms.hostname.count() + 1),
    event: new Uint8Array(terms.event.count() + 1),
    client: new Uint8Array(terms.clients.count() + 1),
    origin: new Uint8Array(terms.origins.count() + 1),
    visitor: new Uint8Array(terms.visitors.count() + 1),
  };
  for (const number of days.numbers(-DAYS_MAX, DAYS_MAX)) {
    const day = days.get(number);
    if (day) markDay(used, day, days);
  }
  return used;
}

function markDay(used: Used, day: Day, days: Days): void {
  mark(used.visitor, day.visitor);
  mark(used.client, day.client);
  mark(used.origin, day.origin);
  mark(used.page, day.page);
  mark(used.hostname, days.extra(day, 'hostname'));
  mark(used.event, days.extra(day, 'event'));
}

function mark(used: Uint8Array, numbers: Uint32Array): void {
  for (const number of numbers) used[number] = 1;
}
