import type { DryRun } from '../contract/import.ts';
import type { Imported, ImportSource } from '../imports/importer.ts';
import type { ImportReport } from '../imports/report.ts';
import type { ImportRecord } from '../imports/store.ts';
import type { ImportState } from '../vocabulary/contract.ts';
import { IMPORT_FORMATS, unitsOf } from '../vocabulary/import-formats.ts';

const MIB = 1024 * 1024;

const number = (value: number) => value.toLocaleString('en');
const counted = (value: number, noun: string) => `${number(value)} ${noun}${value === 1 ? '' : 's'}`;

export function toDryRunLines(dryRun: DryRun, website: { name: string; domain: string }): string[] {
  const { accepted, duplicates, estimatedBytes, estimatedSeconds, files, hosts, ignored, title } = dryRun;
  return [
    `${title}, ${counted(files, 'file')}, into ${website.name} (${website.domain})`,
    ...toIgnoredLines(ignored, title),
    ...toColumnLines(dryRun.columns),
    ...toReportLines(dryRun, dryRun.format),
    ...hosts.flatMap(({ host, otherWebsite }) =>
      otherWebsite
        ? [`Note             ${host} is the website ${otherWebsite}: --host takes pages of some hosts alone`]
        : [],
    ),
    `Already stored   ${number(duplicates)}`,
    `Would be added   ${number(accepted - duplicates)}, about ${Math.ceil(estimatedBytes / MIB)} MiB and ${toDuration(estimatedSeconds)}`,
    'Nothing was imported: this was a dry run.',
  ];
}

function toIgnoredLines(ignored: readonly string[], title: string): string[] {
  return ignored.map((name) => `Ignored          ${name}: not a file of ${title}`);
}

function toColumnLines(columns: DryRun['columns']): string[] {
  const mapped = columns.filter(({ field }) => field !== null);
  const others = columns.filter(({ field }) => field === null).map(({ column }) => column);
  return [
    ...mapped.map(({ column, field }) => `Column           ${column} → ${field}`),
    ...(others.length > 0 ? [`Not imported     ${others.join(', ')}`] : []),
  ];
}

export function toImportLines(
  { import: record, added, duplicates, firstMs, lastMs, ...report }: Imported,
  { ignored, format }: ImportSource,
): string[] {
  const toInstant = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
  return [
    ...toIgnoredLines(ignored, IMPORT_FORMATS[format.name]),
    ...toReportLines({ ...report, from: toInstant(firstMs), to: toInstant(lastMs) }, format.name),
    `Already stored   ${number(duplicates)}`,
    `Added            ${number(added)}`,
    added > 0 ? `To take it back: pagemeter import undo ${record.id}` : 'Nothing was added.',
  ];
}

type ReportLines = Omit<ImportReport, 'firstMs' | 'lastMs'> & Pick<DryRun, 'from' | 'to'>;

function toReportLines(report: ReportLines, format: string): string[] {
  const unit = unitsOf(format).slice(0, -1);
  const { rows, accepted, rejected, leftOut, reasons, rejectedRows, from, to, days, hosts } = report;
  return [
    `Rows             ${number(rows)}: ${counted(accepted, unit)}, ${number(rejected)} rejected`,
    ...(from === null || to === null
      ? []
      : [`Time             ${toText(from)} to ${toText(to)}, ${counted(days, 'day')}`]),
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
      `${id}  ${toText(new Date(createdAtMs).toISOString())}  ${domain}  ${format}  ${source}  ${
        state === 'done' ? `${number(added ?? 0)} ${unitsOf(format)}` : WORDS[state](`${number(rows)} rows`)
      }`,
  );
}

const WORDS: Record<Exclude<ImportState, 'done'>, (rows: string) => string> = {
  uploading: () => 'being uploaded',
  reading: (rows) => `being read, ${rows} so far`,
  ready: () => 'ready to start in the dashboard',
  running: (rows) => `running or interrupted after ${rows}`,
  failed: () => 'failed',
  undoing: (rows) => `being undone after ${rows}`,
};

function toText(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}

function toDuration(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
}
