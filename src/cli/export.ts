import { dirname, resolve } from 'node:path';
import { toMiB, whatIsAt } from '../backup/files.ts';
import { findInstallationId } from '../db/installation.ts';
import { exportWebsite } from '../exports/export-website.ts';
import { openExportFile } from '../exports/file.ts';
import { ExportError, readExportRange, readForm } from '../exports/request.ts';
import type { Sink } from '../exports/run.ts';
import { WebsiteGone } from '../exports/website.ts';
import { findImportWebsite } from '../imports/website.ts';
import { openEvents } from '../storage/clickhouse.ts';
import { openRanges } from '../storage/open.ts';
import type { DatabaseCommand } from './command.ts';
import { count } from './count.ts';
import { tell } from './watch.ts';

export type ExportOptions = {
  website: string;
  from?: string;
  to?: string;
  format?: string;
  compress?: string;
  replace?: boolean;
};

/** Writes the events of a website to a file, or to standard output without one. */
export function exportEvents(file: string | undefined, options: ExportOptions): DatabaseCommand {
  return async ({ database, secrets }, { print }) => {
    const { db } = database;
    const form = named(() => readForm(options, file));
    const website = await findImportWebsite(db, options.website);
    const asked = named(() => readExportRange(options, { timezone: website.timezone, nowMs: Date.now() }));
    const path = file === undefined ? undefined : requireNew(file, options);
    const server = secrets.events && (await openEvents(secrets.events, await findInstallationId(db)));
    const output =
      path === undefined
        ? undefined
        : openExportFile({ path, fingerprint: fingerprintOf(options, website.id), toMs: asked.toMs });
    const ranges = openRanges(database, server);
    try {
      const range = { ...asked, websiteKey: website.key, ...(output && { toMs: output.toMs }) };
      tell.step({ name: 'exporting', events: await ranges.count(range) });
      const to = output ?? toStandardOutput();
      const events = await exportWebsite({ db, ranges, range, form, to, onEvents: tell.events });
      if (output)
        print(
          `${file}: ${count(events, 'event')}, ${toMiB(output.sizeBytes())} MiB. SHA-256: ${output.sha256()}`,
        );
    } catch (error) {
      if (error instanceof WebsiteGone) output?.remove();
      throw explain(error, path);
    } finally {
      output?.close();
      await server?.close();
    }
  };
}

/** Names the option of a fault. */
export function named<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof ExportError ? new Error(`--${error.parameter}: ${error.message}.`) : error;
  }
}

function requireNew(file: string, { replace }: ExportOptions): string {
  const path = resolve(file);
  const there = whatIsAt(path);
  if (there === 'directory') throw new Error(`${file} is a directory: name a file in it.`);
  if (there === 'file' && !replace) throw new Error(`${file} is there already. --replace replaces it.`);
  if (whatIsAt(dirname(path)) !== 'directory') throw new Error(`There is no directory ${dirname(path)}.`);
  return path;
}

/** Waits until a reader has taken the bytes, so that memory is bounded. */
function toStandardOutput(): Sink {
  const write = (bytes: Uint8Array) =>
    new Promise<void>((done, fail) => process.stdout.write(bytes, (error) => (error ? fail(error) : done())));
  return { append: write, finish: write };
}

export function explain(error: unknown, path: string | undefined): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' && path !== undefined)
    return new Error(`The disk of ${dirname(path)} is full. Make room; the same command continues.`);
  return error;
}

function fingerprintOf({ from, to, format, compress }: ExportOptions, websiteId: string): string {
  return JSON.stringify([1, websiteId, from, to, format, compress]);
}
