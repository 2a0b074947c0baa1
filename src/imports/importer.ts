import { withBusyRetry } from '../db/busy.ts';
import type { UserAgents } from '../events/user-agent.ts';
import type { NewEvent } from '../log/event.ts';
import type { EventLog } from '../log/event-log.ts';
import type { ImportedEvents } from '../log/imported-events.ts';
import type { PlaceLookup } from '../places/place-lookup.ts';
import type { Sums } from '../sums/store.ts';
import { EVENT_FLAGS } from '../vocabulary/contract.ts';
import { DAY_MS } from '../vocabulary/durations.ts';
import type { DailySum } from '../vocabulary/sums.ts';
import { createAcceptance, EARLIEST_MS } from './accept.ts';
import { GROUP_ROWS, REPORT_ENTRIES_MAX } from './bounds.ts';
import type { ImportRow, ReadContext } from './format.ts';
import type { Chosen } from './formats.ts';
import { ImportError } from './import-error.ts';
import { hostOf, type ImportReport, Tally } from './report.ts';
import type { ImportRecord, ImportStore } from './store.ts';
import type { ImportWebsite } from './website.ts';

export type ImportSource = Chosen & {
  website: ImportWebsite;
  timezone: string | undefined;
  /** Takes pages of these hosts alone. */
  hosts?: readonly string[] | undefined;
  /** The file grows: rows are stored as they come, and a restart reads it from its beginning. */
  isFollowed?: boolean;
};

type Deps = {
  log: EventLog;
  imported: ImportedEvents;
  sums: Pick<Sums, 'append' | 'countStored'>;
  store: ImportStore;
  userAgents: UserAgents;
  places: PlaceLookup;
  /** Key of pseudonyms. */
  key: Uint8Array;
  now: () => number;
  /** Called with the number of rows read by now. */
  onRows: (rows: number) => void;
};

export type Preview = ImportReport & {
  /** Events that are stored already. */
  duplicates: number;
  /** Columns of the file and the field that each becomes; null: it is not imported. */
  columns: { column: string; field: string | null }[];
};
export type Imported = ImportReport & {
  import: ImportRecord;
  /** Events that are in the log because of it, now or since an interrupted run. */
  added: number;
  /** Events that were stored before. */
  duplicates: number;
};

/** Accepted events of consecutive rows, with the row of each, or accepted sums. */
type Group = { events: NewEvent[]; accepted: ImportRow[]; sums: DailySum[]; rowsUntil: number };

/** How often the progress is written: what is repeated after an interruption. */
const PROGRESS_MS = 1_000;

/** Reads files of events into the log of a website. */
export function createImporter(deps: Deps) {
  const { log, imported, sums, store, userAgents, places, now, onRows } = deps;
  return { preview, run, add, undo };

  /** Reads everything and stores nothing. @throws ImportError */
  async function preview(source: ImportSource): Promise<Preview> {
    const tally = new Tally();
    let duplicates = 0;
    for await (const { events, sums: daily } of readGroups(source, tally)) {
      if (events.length > 0) duplicates += await imported.countStored(events.map(({ id }) => id));
      if (daily.length > 0) duplicates += await sums.countStored(source.website.key, daily);
    }
    return { ...tally.report(), duplicates, columns: mapColumns(source) };
  }

  /**
   * Imports, or continues what was interrupted. Ids derive from the rows, so that no row is stored twice.
   *
   * @throws ImportError for a fault of a file: then what the import had added is removed. Any other error (a full disk)
   *   leaves it, and the same call continues.
   */
  async function run(source: ImportSource): Promise<Imported> {
    const record = await store.begin({
      websiteKey: source.website.key,
      format: source.format.name,
      source: source.files
        .map(({ name }) => name)
        .join(', ')
        .slice(0, SOURCE_LENGTH_MAX),
      fingerprint: fingerprintOf(source),
    });
    try {
      const imported = await add(source, record);
      if (!source.isFollowed)
        await (imported.added > 0 ? store.finish(record.key, imported.added) : store.remove(record.key));
      return imported;
    } catch (error) {
      if (error instanceof ImportError) await undo(record.key);
      throw error;
    }
  }

  /** Adds the rows of an import, or those that are left. @throws as above, without removing anything */
  async function add(source: ImportSource, record: ImportRecord): Promise<Imported> {
    const report = await storeAll(source, record);
    const added = await imported.count(record.key);
    return { ...report, import: record, added, duplicates: report.accepted - added };
  }

  /** Removes exactly what an import has added. Continues an interrupted undo. */
  async function undo(key: number): Promise<void> {
    await store.orderUndo(key);
    await withBusyRetry(() => imported.remove(key));
    await store.remove(key);
  }

  async function storeAll(source: ImportSource, { key, rows }: ImportRecord): Promise<ImportReport> {
    const storedRows = source.isFollowed ? 0 : rows;
    let { hasAnonymous } = source.website;
    const tally = new Tally();
    let writtenMs = performance.now();
    for await (const { events, accepted, sums: daily, rowsUntil } of readGroups(source, tally)) {
      if (rowsUntil <= storedRows) continue;
      if (daily.length > 0) {
        const added = await withBusyRetry(() => sums.append(source.website.key, key, daily));
        if (added === undefined) throw new Error(GONE);
      }
      for (const event of events) event.importKey = key;
      if (!hasAnonymous && events.some(({ flags }) => flags & EVENT_FLAGS.anonymous)) {
        await store.markAnonymous(source.website.key);
        hasAnonymous = true;
      }
      const outcomes = events.length > 0 ? await withBusyRetry(() => log.append(events)) : [];
      outcomes.forEach(({ kind }, index) => {
        if (kind === 'gone') throw new Error(GONE);
        const fault = FAULTS[kind];
        const row = accepted[index];
        if (fault && row) tally.refuse(row, fault);
      });
      if (performance.now() - writtenMs < PROGRESS_MS) continue;
      await store.advance(key, toProgress(tally.report(), rowsUntil));
      writtenMs = performance.now();
    }
    const report = tally.report();
    await store.advance(key, toProgress(report, report.rows));
    return report;
  }

  async function* readGroups(source: ImportSource, tally: Tally): AsyncGenerator<Group, void, undefined> {
    const { files, format, website, timezone, hosts, isFollowed = false } = source;
    const accept = createAcceptance({ website, userAgents, places, now });
    const context = toReadContext(deps, website, timezone);
    let group: Omit<Group, 'rowsUntil'> = { events: [], accepted: [], sums: [] };
    for await (const rows of format.read(files, context)) {
      for (const row of rows) {
        if ('reason' in row) tally.reject(row, row.reason);
        else if ('leftOut' in row) tally.leaveOut(row.leftOut);
        else if ('sum' in row) {
          const fault = toDayFault(row.sum.day, now());
          if (fault) {
            tally.reject(row, fault);
            continue;
          }
          tally.accept(row.sum.day * DAY_MS, undefined);
          group.sums.push(row.sum);
          if (group.sums.length === GROUP_ROWS) yield take();
        } else {
          const event = accept(row);
          if (typeof event === 'string') {
            tally.reject(row, event);
            continue;
          }
          const host = hostOf(event.url);
          if (hosts && !hosts.includes(host)) {
            tally.leaveOut('pages of other hosts');
            continue;
          }
          tally.accept(event.createdAtMs, host);
          group.events.push(event);
          group.accepted.push(row);
          if (group.events.length === GROUP_ROWS) yield take();
        }
      }
      onRows(tally.rows);
      if (isFollowed && group.events.length > 0) yield take();
    }
    if (group.events.length > 0 || group.sums.length > 0) yield take();

    function take(): Group {
      const taken = { ...group, rowsUntil: tally.rows };
      group = { events: [], accepted: [], sums: [] };
      return taken;
    }
  }
}

/** @returns why a sum of a day cannot be right */
function toDayFault(day: number, nowMs: number): string | undefined {
  if (day * DAY_MS < EARLIEST_MS) return 'date: Before 1995';
  return (day - 1) * DAY_MS > nowMs ? 'date: In the future' : undefined; // it has begun somewhere
}

function mapColumns({ files, format }: ImportSource): Preview['columns'] {
  const fields = Object.entries(format.columns).map(([column, field]) => ({ column, field }));
  const names = new Set(files.flatMap((file) => format.readNames?.(file) ?? []));
  if (names.size === 0) return fields;
  const byName = new Map(fields.map(({ column, field }) => [column.toLowerCase(), field]));
  return [...names].slice(0, REPORT_ENTRIES_MAX).map((column) => ({
    column,
    field: byName.get(column.replace(/^\d+,?/, '')) ?? null, // a version may stand before the first name
  }));
}

function toReadContext(
  { userAgents, key }: Deps,
  website: ImportWebsite,
  timezone: string | undefined,
): ReadContext {
  if (timezone !== undefined && !isTimezone(timezone))
    throw new ImportError(`There is no time zone ${timezone}`);
  return {
    timezone,
    siteUrl: new URL(website.domain).origin,
    describeAgent: (userAgent) => userAgents.describe(userAgent),
    pseudonym: (text) => toUuid(new Bun.CryptoHasher('sha256', key).update(text).digest('hex')),
  };
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** Ids in this form take 16 bytes. */
function toUuid(hex: string): string {
  return hex.slice(0, 32).replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const SOURCE_LENGTH_MAX = 500;
const GONE = 'The website was deleted, or the import was undone or finished by another process';
const FAULTS: Partial<Record<string, string>> = {
  conflict: 'id: Belongs to an event of another website',
  failed: 'The database refused it',
};

function fingerprintOf({ files, format, timezone, hosts = [] }: ImportSource): string {
  const parts = [
    format.name,
    timezone ?? '',
    hosts.join(' '),
    ...files.map(({ fingerprint }) => fingerprint),
  ];
  return new Bun.CryptoHasher('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);
}

function toProgress({ accepted, rejected, firstMs, lastMs }: ImportReport, rows: number) {
  return { rows, accepted, rejected, firstMs: firstMs ?? null, lastMs: lastMs ?? null };
}

export type Importer = ReturnType<typeof createImporter>;
