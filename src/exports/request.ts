import { readBound } from '../metrics/time/range.ts';
import { findZone, requireUtc } from '../metrics/time/zone.ts';
import { CLOCK_TOLERANCE_MS, TIMESTAMP_MS_MAX } from '../vocabulary/contract.ts';
import {
  EXPORT_COMPRESSIONS,
  EXPORT_FORMATS,
  type ExportCompression,
  type ExportForm,
  type ExportFormat,
  extensionOf,
} from '../vocabulary/exports.ts';

/** A fault of a parameter of an export, in a sentence for the person who asks for it. */
export class ExportError extends Error {
  constructor(
    readonly parameter: 'from' | 'to' | 'format' | 'compress' | 'filter',
    message: string,
  ) {
    super(message);
    this.name = 'ExportError';
  }
}

const FORMS: readonly ExportForm[] = EXPORT_FORMATS.flatMap((format) =>
  EXPORT_COMPRESSIONS.map((compression) => ({ format, compression })),
);

/**
 * Decides the form of a file from what was asked for and from its name, which must agree.
 *
 * @param name of the file; undefined for standard output, which is NDJSON without a format
 * @throws ExportError
 */
export function readForm(
  { format, compress }: { format?: string | undefined; compress?: string | undefined },
  name?: string,
): ExportForm {
  const asked = find(EXPORT_FORMATS, format, 'format');
  const compression = find(EXPORT_COMPRESSIONS, compress, 'compress');
  const named = FORMS.find((form) => name?.toLowerCase().endsWith(extensionOf(form)));
  if (named && asked && named.format !== asked)
    throw new ExportError('format', `${name} has the name of ${named.format}, not of ${asked}`);
  if (named && named.format !== 'parquet' && compression && named.compression !== compression)
    throw new ExportError(
      'compress',
      `${name} has the name of a file with compression ${named.compression}, not ${compression}`,
    );
  const chosen = asked ?? named?.format ?? (name === undefined ? 'ndjson' : undefined);
  if (!chosen)
    throw new ExportError(
      'format',
      `${name} names no format: end it with .ndjson, .csv or .parquet, or give the format`,
    );
  return { format: chosen, compression: compression ?? toCompression(chosen, named) };
}

function toCompression(format: ExportFormat, named: ExportForm | undefined): ExportCompression {
  return format === 'parquet' ? 'zstd' : (named?.compression ?? 'none');
}

function find<Name extends string>(
  names: readonly Name[],
  text: string | undefined,
  parameter: 'format' | 'compress',
): Name | undefined {
  if (text === undefined) return undefined;
  const found = names.find((name) => name === text);
  if (!found) throw new ExportError(parameter, `Must be one of: ${names.join(', ')}`);
  return found;
}

type Bounds = { from?: string | undefined; to?: string | undefined };

/**
 * Reads a range of days or instants, which are those of the website's zone. Without bounds it is everything until now.
 *
 * @throws ExportError
 */
export function readExportRange(
  { from, to }: Bounds,
  { timezone, nowMs }: { timezone: string; nowMs: number },
): { fromMs: number; toMs: number } {
  const zone = findZone(timezone) ?? requireUtc();
  const read = (text: string, parameter: 'from' | 'to') => {
    const ms = readBound(text, zone, parameter);
    if (ms === undefined)
      throw new ExportError(
        parameter,
        'Must be a day such as 2026-01-31, or an instant such as 2026-01-31T10:00:00Z',
      );
    return ms;
  };
  const fromMs = from === undefined ? -TIMESTAMP_MS_MAX : read(from, 'from');
  const toMs = to === undefined ? nowMs + CLOCK_TOLERANCE_MS : read(to, 'to');
  if (fromMs >= toMs)
    throw new ExportError(
      to === undefined ? 'from' : 'to',
      to === undefined ? 'Must not be in the future' : 'Must be after from',
    );
  return { fromMs, toMs };
}
