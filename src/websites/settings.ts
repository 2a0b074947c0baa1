import type { WebsiteSettingsInput } from '../contract/website.ts';
import { parseIpRange } from '../network/ip-range.ts';
import { OLD_ID } from '../vocabulary/compatible.ts';
import { validationError } from '../vocabulary/errors.ts';
import { parseWebAddress } from './domain.ts';
import type { WebsiteChanges } from './store.ts';

/**
 * Converts submitted settings to their stored form: origins as scheme, host and port, no duplicates.
 *
 * @throws VALIDATION_ERROR naming every faulty field and entry
 */
export function toSettingsChanges(input: WebsiteSettingsInput): WebsiteChanges {
  const fieldErrors: Record<string, string[]> = {};
  const {
    timezone,
    leavesOutLocalPages,
    retentionDays,
    isCountryOnly,
    isPublic,
    publicHides,
    primaryGoalId,
  } = input;
  if (timezone !== undefined && !isTimezone(timezone))
    fieldErrors.timezone = ['Must be an IANA time zone such as Europe/Berlin'];
  const allowedOrigins = readEntries(
    'allowedOrigins',
    toOrigin,
    'Must be an origin such as https://example.com',
  );
  const excludedIps = readEntries(
    'excludedIps',
    toIpRange,
    'Must be an IP address or a CIDR range such as 203.0.113.0/24',
  );
  const oldIds = readEntries(
    'oldIds',
    (text) => (OLD_ID.test(text) ? text : undefined),
    'Must be umami:, plausible: or matomo: with the id that the website has there',
  );
  if (Object.keys(fieldErrors).length > 0) throw validationError('Invalid request data', fieldErrors);
  return {
    timezone,
    allowedOrigins,
    excludedIps,
    leavesOutLocalPages,
    oldIds,
    retentionDays,
    isCountryOnly,
    isPublic,
    publicHides,
    primaryGoalId,
    isAnonymous: input.anonymous,
  };

  function readEntries(
    field: 'allowedOrigins' | 'excludedIps' | 'oldIds',
    read: (text: string) => string | undefined,
    fault: string,
  ): string[] | undefined {
    const entries = input[field]?.map((entry) => read(entry.trim()));
    const faults = entries?.flatMap((entry, index) => (entry === undefined ? [`${index}: ${fault}`] : []));
    if (faults && faults.length > 0) fieldErrors[field] = faults;
    return entries && [...new Set(entries.filter((entry) => entry !== undefined))];
  }
}

/** Returns whether a text names a time zone. Intl also accepts offsets such as `+01:00`, which lack daylight saving. */
function isTimezone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Parses an origin. A wildcard host would parse, but match no page. */
function toOrigin(text: string): string | undefined {
  const url = parseWebAddress(text);
  return url && !url.hostname.includes('*') ? url.origin : undefined;
}

function toIpRange(text: string): string | undefined {
  return parseIpRange(text) && text;
}
