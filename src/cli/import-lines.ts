import type { Imported, ImportSource, Preview } from '../imports/importer.ts';
import type { ImportReport } from '../imports/report.ts';
import type { ImportRecord } from '../imports/store.ts';

/** An event in the log, with its part of the statistics: measured with a million events of demo traffic. */
const EVENT_BYTES = 280;
/** An import takes about so many times as long as its dry run. */
const TIMES_A_PREVIEW = 2;
const MIB = 1024 * 1024;

const number = (value: number) => value.toLocaleString('en');
const counted = (value: number, noun: string) => `${number(value)} ${noun}${value === 1 ? '' : 's'}`;

export function toPreviewLines(
  preview: Preview,
  source: ImportSource,
  { tookMs, others }: { tookMs: number; others: ReadonlyMap<string, string> },
): string[] {
  const { format, files, website } = source;
  const fresh = preview.accepted - preview.duplicates;
  return [
    `${format.title}, ${counted(files.length, 'file')}, into ${website.name} (${website.domain})`,
    ...toIgnoredLines(source),
    ...toColumnLines(preview.columns),
    ...toReportLines(preview),
    ...preview.hosts.flatMap(({ host }) => {
      const other = others.get(host);
      return other
        ? [`Note             ${host} is the website ${other}: --host takes pages of some hosts alone`]
        : [];
    }),
    `Already stored   ${number(preview.duplicates)}`,
    `Would be added   ${number(fresh)}, about ${Math.ceil((fresh * EVENT_BYTES) / MIB)} MiB and ${toDuration(tookMs * TIMES_A_PREVIEW)}`,
    'Nothing was imported: this was a dry run.',
  ];
}

function toIgnoredLines({ ignored, format }: ImportSource): string[] {
  return ignored.map((name) => `Ignored          ${name}: not a file of ${format.title}`);
}

function toColumnLines(columns: Preview['columns']): string[] {
  const mapped = columns.filter(({ field }) => field !== null);
  const others = columns.filter(({ field }) => field === null).map(({ column }) => column);
  return [
    ...mapped.map(({ column, field }) => `Column           ${column} → ${field}`),
    ...(others.length > 0 ? [`Not imported     ${others.join(', ')}`] : []),
  ];
}

export function toImportLines(
  { import: record, added, duplicates, ...report }: Imported,
  source: ImportSource,
): string[] {
  return [
    ...toIgnoredLines(source),
    ...toReportLines(report),
    `Already stored   ${number(duplicates)}`,
    `Added            ${number(added)}`,
    added > 0 ? `To take it back: pagemeter import undo ${record.id}` : 'Nothing was added.',
  ];
}

function toReportLines(report: ImportReport): string[] {
  const { rows, accepted, rejected, leftOut, reasons, rejectedRows, firstMs, lastMs, days, hosts } = report;
  return [
    `Rows             ${number(rows)}: ${counted(accepted, 'event')}, ${number(rejected)} rejected`,
    ...(firstMs === undefined || lastMs === undefined
      ? []
      : [`Time             ${toText(firstMs)} to ${toText(lastMs)}, ${counted(days, 'day')}`]),
    ...hosts.map(({ host, count }) => `Host             ${host}: ${number(count)}`),
    ...leftOut.map(({ reason, count }) => `Left out         ${number(count)}: ${reason}`),
    ...reasons.map(({ reason, count }) => `Rejected         ${number(count)}: ${reason}`),
    ...rejectedRows.map(({ file, line, reason }) => `  ${file}, line ${line}: ${reason}`),
  ];
}

export function toListLines(records: readonly (ImportRecord & { domain: string })[]): string[] {
  if (records.length === 0) return ['There are no imports.'];
  return records.map(
    ({ id, domain, format, source, state, added, rows, createdAtMs }) =>
      `${id}  ${toText(createdAtMs)}  ${domain}  ${format}  ${source}  ${
        state === 'done' ? `${number(added ?? 0)} events` : `${WORDS[state]} after ${number(rows)} rows`
      }`,
  );
}

const WORDS = { running: 'running or interrupted', undoing: 'being undone' } as const;

function toText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function toDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
}
