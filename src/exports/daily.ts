import type { Db } from '../db/open.ts';
import type { EventDay, EventRanges } from '../log/event-ranges.ts';
import { DAY_MS } from '../vocabulary/durations.ts';
import { type ExportForm, extensionOf } from '../vocabulary/exports.ts';
import type { DailyTarget } from './daily-target.ts';
import { exportWebsite } from './export-website.ts';
import { openExportFile } from './file.ts';

/** Days that a target holds, by date. */
type Days = Record<string, { events: number; newestKey: number; sha256: string; file: string }>;

type Daily = {
  db: Db;
  ranges: EventRanges;
  website: { key: number; id: string; retentionDays: number | null };
  form: ExportForm;
  target: DailyTarget;
  nowMs: number;
  /** Called with the number of events that were written. */
  onEvents: (events: number) => void;
};

/**
 * Writes each whole day (UTC) of a website as a file of its own, `website=ID/date=2026-01-31/events.parquet`. Days that are
 * there already are written again only when the events of that day have changed. A day whose events are all gone is
 * removed, unless they were too old for the website to keep.
 */
export async function exportDaily(
  daily: Daily,
): Promise<{ written: number; removed: number; events: number }> {
  const { ranges, website, form, target, nowMs } = daily;
  const folder = `website=${website.id}`;
  const listName = `${folder}/_days.json`;
  const known: Days = JSON.parse((await target.readText(listName)) ?? '{}'); // as written below
  const today = Math.floor(nowMs / DAY_MS);
  const days = (await ranges.days(website.key)).filter(({ day }) => day < today);
  const done = { written: 0, removed: 0, events: 0 };

  for (const day of days) {
    const date = toDate(day.day);
    const before = known[date];
    const file = `date=${date}/events${extensionOf(form)}`;
    if (before?.events === day.events && before.newestKey === day.newestKey && before.file === file) continue;
    const sha256 = await writeDay(daily, `${folder}/${file}`, day, (events) =>
      daily.onEvents(done.events + events),
    );
    if (before && before.file !== file) await target.remove(`${folder}/${before.file}`);
    known[date] = { events: day.events, newestKey: day.newestKey, sha256, file };
    await target.writeText(listName, JSON.stringify(known, null, 1));
    done.written += 1;
    done.events += day.events;
  }

  const present = new Set(days.map(({ day }) => toDate(day)));
  const oldest = website.retentionDays === null ? '' : toDate(today - website.retentionDays);
  for (const [date, { file }] of Object.entries(known)) {
    if (present.has(date) || date < oldest) continue;
    await target.remove(`${folder}/${file}`);
    delete known[date];
    await target.writeText(listName, JSON.stringify(known, null, 1));
    done.removed += 1;
  }
  return done;
}

async function writeDay(
  { db, ranges, website, form, target }: Daily,
  name: string,
  { day }: EventDay,
  onEvents: (events: number) => void,
): Promise<string> {
  const range = { websiteKey: website.key, fromMs: day * DAY_MS, toMs: (day + 1) * DAY_MS };
  const path = target.prepare(name);
  const to = openExportFile({ path, fingerprint: name, toMs: range.toMs, hasChecksum: false });
  try {
    await exportWebsite({ db, ranges, range, form, to, onEvents });
  } catch (error) {
    to.remove(); // the next run writes the day from its beginning
    throw error;
  }
  await target.place(name, path);
  return to.sha256();
}

function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
