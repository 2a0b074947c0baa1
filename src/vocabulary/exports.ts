/** Forms of an exported file. */

export const EXPORT_FORMATS = ['ndjson', 'csv', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Parquet compresses its columns; a file of another format is compressed as a whole. */
export const EXPORT_COMPRESSIONS = ['none', 'gzip', 'zstd'] as const;
export type ExportCompression = (typeof EXPORT_COMPRESSIONS)[number];

export type ExportForm = { format: ExportFormat; compression: ExportCompression };

const EXTENSIONS = { none: '', gzip: '.gz', zstd: '.zst' } as const;

/** `.ndjson.gz` */
export function extensionOf({ format, compression }: ExportForm): string {
  return `.${format}${format === 'parquet' ? '' : EXTENSIONS[compression]}`;
}
