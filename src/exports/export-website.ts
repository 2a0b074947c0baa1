import type { Db } from '../db/open.ts';
import type { EventRange, EventRanges } from '../log/event-ranges.ts';
import type { ExportForm } from '../vocabulary/exports.ts';
import type { ExportFile } from './file.ts';
import { createEncoder } from './formats.ts';
import { runExport, type Sink } from './run.ts';
import { requireWebsite } from './website.ts';

type Export = {
  db: Db;
  ranges: EventRanges;
  range: EventRange;
  form: ExportForm;
  to: Sink & Partial<Pick<ExportFile, 'from'>>;
  /** Called with the number of events by now. */
  onEvents: (events: number) => void;
};

/**
 * Writes the events of a website.
 *
 * @returns how many they are
 * @throws WebsiteGone
 */
export async function exportWebsite({ db, ranges, range, form, to, onEvents }: Export): Promise<number> {
  return runExport({
    readPage: (after) => ranges.read(range, after),
    encoder: await createEncoder(form, to.from?.encoder),
    sink: to,
    from: to.from,
    async onGroup(events) {
      onEvents(events);
      await requireWebsite(db, range.websiteKey);
    },
  });
}
