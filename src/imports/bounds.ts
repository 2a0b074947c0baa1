import { EVENT_BYTES_MAX } from '../vocabulary/contract.ts';

/** Maximum bytes of a line or of a record: several times the largest event. */
export const LINE_BYTES_MAX = 8 * EVENT_BYTES_MAX;
/** Maximum bytes of a JSON object with many events, such as a visit with its actions. */
export const RECORD_BYTES_MAX = 16 * 1024 * 1024;
/** Maximum files of one import, also those of a zip. */
export const FILES_MAX = 1_000;
/** Different reasons, hosts and columns that a report lists. */
export const REPORT_ENTRIES_MAX = 100;
/**
 * Rows that are stored in one transaction, for which the service waits: with 250 in place of 1,000 an import took an eighth
 * longer, and half of the events that arrived meanwhile half as long.
 */
export const GROUP_ROWS = 500;
