import { EXPORT_FORMATS } from '../vocabulary/exports.ts';
import { backupAddress } from './backup.ts';
import { oneOf, setting } from './setting.ts';

/** Settings of the daily export. */
export const EXPORT_SETTINGS = {
  EXPORT_TO: setting(
    '',
    'Where each day of each website is exported to: a directory, or `s3://BUCKET/PREFIX` with the keys and the endpoint of `BACKUP_S3_…`. Default: nowhere.',
    backupAddress,
  ),
  EXPORT_FORMAT: setting(
    'parquet',
    'Format of these files: `parquet`, `ndjson` or `csv`.',
    oneOf(...EXPORT_FORMATS),
  ),
} as const;
