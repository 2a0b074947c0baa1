import { resolve } from 'node:path';
import { setting, text } from './setting.ts';

/** Settings of a ClickHouse server that keeps the events in place of the database. */
export const EVENTS_SETTINGS = {
  EVENTS_URL: setting(
    '',
    'ClickHouse server that keeps the events and computes the reports: `http(s)://user:password@host:8123/database`. Default: the database does both.',
    eventsUrl,
  ),
  EVENTS_CA_FILE: setting(
    '',
    "CA certificates for that server (PEM file), if the system's do not include them.",
    text,
  ),
} as const;

/** The server. Its address contains a password; the path of the file is absolute. */
export type EventsTarget = { url: string; caFile: string | undefined };

export function toEventsTarget(
  { EVENTS_URL: url, EVENTS_CA_FILE: caFile }: Record<keyof typeof EVENTS_SETTINGS, string>,
  baseDir: string,
): { target: EventsTarget | undefined; fault?: string } {
  if (caFile && !url.startsWith('https:'))
    return {
      target: undefined,
      fault: 'EVENTS_CA_FILE is set, but EVENTS_URL is not the https:// address of a server.',
    };
  return { target: url ? { url, caFile: caFile ? resolve(baseDir, caFile) : undefined } : undefined };
}

/** Reads EVENTS_URL. @throws Error whose message follows the name */
export function eventsUrl(value: string): string {
  if (value === '' || (/^https?:\/\/[^/]+\/[^/?#]+$/.test(value) && URL.canParse(value) && isEncoded(value)))
    return value;
  // The value may hold a password, so it is not repeated.
  throw new Error(
    'must be http(s)://user:password@host:port/database; a password has %25 for %, %2F for / and %40 for @.',
  );
}

function isEncoded(value: string): boolean {
  try {
    decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}
