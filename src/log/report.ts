import { DEPTH_BITS, toCode, UNREPORTED } from '../db/packed-engagement.ts';
import { packId, uuidToBytes } from '../db/packed-id.ts';
import type { Cell } from './columns.ts';
import type { NewEvent } from './event.ts';

const CODE = `(coalesce(engagement, ${UNREPORTED}) - ${UNREPORTED})`;
const SECONDS = `(${CODE} >> ${DEPTH_BITS})`;
const DEPTH = `(${CODE} & ${2 ** DEPTH_BITS - 1})`;

/** Raises the engagement of a pageview of the same website and visitor; takes what `toReportCells` returns. */
export const REPORT_ENGAGEMENT = `UPDATE events
  SET engagement = ${UNREPORTED} + (max(${SECONDS}, ?) << ${DEPTH_BITS}) + max(${DEPTH}, ?)
  WHERE event_id = ? AND website_key = ? AND visitor_id = ? AND type = 0 AND (${SECONDS} < ? OR ${DEPTH} < ?)`;

export function toReportCells({ id, website, visitorId, engagedSeconds, scrollDepth }: NewEvent): Cell[] {
  const codes = [toCode(engagedSeconds), toCode(scrollDepth)];
  return [...codes, uuidToBytes(id), website.key, packId(visitorId), ...codes];
}
