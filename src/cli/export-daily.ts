import { join } from 'node:path';
import { and, isNotNull, isNull } from 'drizzle-orm';
import { findInstallationId } from '../db/installation.ts';
import type { Db } from '../db/open.ts';
import { websites } from '../db/schema.ts';
import { exportDaily } from '../exports/daily.ts';
import { openDailyTarget } from '../exports/daily-target.ts';
import { readForm } from '../exports/request.ts';
import { WebsiteGone } from '../exports/website.ts';
import { findImportWebsite } from '../imports/website.ts';
import { BUCKET_RULE, toBackupTarget } from '../settings/backup.ts';
import { openEvents } from '../storage/clickhouse.ts';
import { openRanges } from '../storage/open.ts';
import type { DatabaseCommand } from './command.ts';
import { count } from './count.ts';
import { type ExportOptions, explain, named } from './export.ts';
import { tell } from './watch.ts';

type DailyOptions = Pick<ExportOptions, 'format' | 'compress'> & { website: string | undefined };

/** Writes the days of one website, or of all of them, to a directory or a bucket. */
export function exportDays(place: string, options: DailyOptions): DatabaseCommand {
  return async ({ database, config, secrets }, { print }) => {
    const { db } = database;
    const form = named(() => readForm({ ...options, format: options.format ?? 'parquet' }));
    const to = toBackupTarget(place, place, process.cwd());
    if (to.kind === 'directory' && place.includes('://'))
      throw new Error(`${place} is neither a directory nor s3://BUCKET/PREFIX, ${BUCKET_RULE}.`);
    const chosen =
      options.website === undefined ? await listAll(db) : [await findImportWebsite(db, options.website)];
    const target = openDailyTarget(to, { s3: secrets.s3, scratchDir: join(config.dataDir, 'exports') });
    const server = secrets.events && (await openEvents(secrets.events, await findInstallationId(db)));
    const ranges = openRanges(database, server);
    try {
      for (const website of chosen) {
        tell.step({ name: 'exporting', events: 0 });
        const daily = { db, ranges, website, form, target, nowMs: Date.now(), onEvents: tell.events };
        const { written, removed, events } = await exportDaily(daily).catch((error: unknown) => {
          if (error instanceof WebsiteGone) return { written: 0, removed: 0, events: 0 }; // the others go on
          throw explain(
            error,
            to.kind === 'directory' ? join(to.path, '_') : join(config.dataDir, 'exports', '_'),
          );
        });
        const gone = removed > 0 ? `, ${count(removed, 'day')} removed` : '';
        print(
          `${website.domain} (${website.id}): ${count(written, 'day')} written, ${count(events, 'event')}${gone}`,
        );
      }
    } finally {
      await server?.close();
    }
  };
}

function listAll(db: Db) {
  return db
    .select({
      key: websites.key,
      id: websites.id,
      domain: websites.domain,
      retentionDays: websites.retentionDays,
    })
    .from(websites)
    .where(and(isNull(websites.deletedAtMs), isNotNull(websites.userId)))
    .orderBy(websites.key);
}
