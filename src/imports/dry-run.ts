import type { DryRun } from '../contract/import.ts';
import { IMPORT_FORMATS } from '../vocabulary/import-formats.ts';
import type { ImportSource, Preview } from './importer.ts';

/** An event in the log, with its part of the statistics: measured with a million events of demo traffic. */
const EVENT_BYTES = 280;
/** An import takes about so many times as long as its dry run. */
const TIMES_A_PREVIEW = 2;

type Options = { tookMs: number; others: ReadonlyMap<string, string> };

/** The dry run of an import as the command, the API and the page show it. @param others websites by their hosts */
export function toDryRun(
  { firstMs, lastMs, hosts, ...preview }: Preview,
  { format, files, ignored }: ImportSource,
  { tookMs, others }: Options,
): DryRun {
  return {
    format: format.name,
    title: IMPORT_FORMATS[format.name],
    files: files.length,
    ignored,
    ...preview,
    hosts: hosts.map(({ host, count }) => ({ host, count, otherWebsite: others.get(host) ?? null })),
    from: toInstant(firstMs),
    to: toInstant(lastMs),
    estimatedBytes: (preview.accepted - preview.duplicates) * EVENT_BYTES,
    estimatedSeconds: Math.ceil((tookMs * TIMES_A_PREVIEW) / 1_000),
  };
}

function toInstant(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
