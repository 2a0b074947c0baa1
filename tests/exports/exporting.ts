import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportWebsite } from '../../src/exports/export-website.ts';
import { openExportFile } from '../../src/exports/file.ts';
import { readForm } from '../../src/exports/request.ts';
import { findImportWebsite } from '../../src/imports/website.ts';
import { openRanges } from '../../src/storage/open.ts';
import { TIMESTAMP_MS_MAX } from '../../src/vocabulary/contract.ts';
import type { Importing } from '../imports/importing.ts';

/** Exports the website of a service to a file of this name. */
export async function exportFrom({ database, db, eventsServer }: Importing, name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'pagemeter-export-'));
  try {
    const website = await findImportWebsite(db, 'example.com');
    const range = { websiteKey: website.key, fromMs: -TIMESTAMP_MS_MAX, toMs: TIMESTAMP_MS_MAX };
    const to = openExportFile({ path: join(folder, name), fingerprint: '', toMs: range.toMs });
    const ranges = openRanges(database, eventsServer);
    const events = await exportWebsite({
      db,
      ranges,
      range,
      form: readForm({}, name),
      to,
      onEvents: () => {},
    });
    return { events, bytes: readFileSync(join(folder, name)), sha256: to.sha256() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
