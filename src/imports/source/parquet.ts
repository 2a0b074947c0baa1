import { ImportError } from '../import-error.ts';

/** Row groups may hold millions of rows: so many are in memory at a time. */
const ROWS_AT_ONCE = 20_000;

/** Reads a Parquet file as JSON lines, so that formats of JSON read it. */
export async function* parquetToJson(
  path: string,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const [{ asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects }, { compressors }] =
    await Promise.all([import('hyparquet'), import('hyparquet-compressors')]);
  try {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    const end = Number(metadata.num_rows);
    for (let rowStart = 0; rowStart < end; rowStart += ROWS_AT_ONCE) {
      const rowEnd = Math.min(rowStart + ROWS_AT_ONCE, end);
      const rows = await parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd });
      yield Buffer.from(rows.map((row) => `${JSON.stringify(row, toJson)}\n`).join(''));
    }
  } catch (error) {
    throw new ImportError(
      `${name} is not a whole Parquet file: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Integers beyond those of JavaScript become texts. */
function toJson(_: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}
