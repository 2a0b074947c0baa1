import type { DryRun, Import, ImportDetails } from '../contract/import.ts';
import type { ImportRecord } from './store.ts';

export function toImport(row: ImportRecord): Import {
  const { id, format, source, state, rows, accepted, rejected, added, error } = row;
  const toInstant = (ms: number) => new Date(ms).toISOString();
  return {
    id,
    format,
    source,
    state,
    rows,
    accepted,
    rejected,
    added,
    from: row.firstMs === null ? null : toInstant(row.firstMs),
    to: row.lastMs === null ? null : toInstant(row.lastMs),
    error,
    createdAt: toInstant(row.createdAtMs),
    updatedAt: toInstant(row.updatedAtMs),
  };
}

export function toDetails(
  row: ImportRecord,
  receivedBytes: (row: ImportRecord) => number | null,
): ImportDetails {
  return {
    ...toImport(row),
    sizeBytes: row.sizeBytes,
    receivedBytes: receivedBytes(row),
    options: row.options,
    dryRun: row.preview as DryRun | null, // as the dry run was stored
  };
}
