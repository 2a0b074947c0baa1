import type { ExportForm } from '../vocabulary/exports.ts';
import type { Encoder } from './encoder.ts';
import { createLineEncoder } from './formats/lines.ts';
import { createParquetEncoder } from './formats/parquet.ts';

/** @param state that of an interrupted file, which is continued */
export async function createEncoder({ format, compression }: ExportForm, state?: unknown): Promise<Encoder> {
  if (format !== 'parquet') return createLineEncoder(format, compression);
  return createParquetEncoder(compression, state as Parameters<typeof createParquetEncoder>[1]); // its own
}
