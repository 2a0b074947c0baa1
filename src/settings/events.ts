import { resolve } from 'node:path';
import { setting, text } from './setting.ts';

/** The part of the settings that is about a server that keeps the events in place of the database. */
export const EVENTS_SETTINGS = {
  EVENTS_URL: setting(
    '',
    'ClickHouse server that keeps the events and answers the questions about them: `http(s)://user:password@host:8123/database`. Default: the database does both.',
    eventsUrl,
  ),
  EVENTS_CA_FILE: setting(
    '',
    'File with the certificates of whoever vouches for that server (PEM), where the system does not know them.',
    text,
  ),
} as const;

/** The address holds a password. The path is absolute. */
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

/** @throws Error with the rest of a sentence */
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
