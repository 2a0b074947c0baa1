import { PROPERTY_KEYS_A_DAY_MAX } from '../../../src/analytics/vocabulary.ts';
import type { RawEvent } from './raw-event.ts';

/** An event with its dimensions of events; '' where absent. */
export type EventFacts = {
  event: RawEvent;
  page: string;
  hostname: string;
  name: string;
  /** As parsed, of the keys that are kept. Without nulls and empty texts. */
  properties: Map<string, unknown>;
};

/** @param events all events of one website */
export function toEventFacts(events: readonly RawEvent[]): EventFacts[] {
  const keysOfDay = new Map<number, Set<string>>();
  return events
    .toSorted((a, b) => a.key - b.key) // the order in which they were stored decides which keys are kept
    .map((event) => {
      const day = Math.floor(event.createdAtMs / 86_400_000);
      const keys = keysOfDay.get(day) ?? new Set<string>();
      keysOfDay.set(day, keys);
      const url = URL.parse(event.url);
      return {
        event,
        page: toText(url ? url.pathname : event.url),
        hostname: toText(url?.hostname ?? ''),
        name: readName(event),
        properties: readProperties(event, keys),
      };
    });
}

function readName(event: RawEvent): string {
  if (event.eventType !== 'custom') return '';
  const [, name] = Object.entries(parse(event.properties)).find(([key]) => key === 'name') ?? [];
  return typeof name === 'string' ? toText(name) : '';
}

/** @param kept the keys of the day so far; new ones are added while there is room */
function readProperties(event: RawEvent, kept: Set<string>): Map<string, unknown> {
  const properties = new Map<string, unknown>();
  for (const [rawKey, value] of Object.entries(parse(event.properties))) {
    if (toPropertyText(value) === '') continue;
    const key = toText(rawKey);
    if (kept.size < PROPERTY_KEYS_A_DAY_MAX) kept.add(key);
    if (kept.has(key)) properties.set(key, value); // of keys that become the same, the last, as in JSON
  }
  return properties;
}

function parse(json: string | null): object {
  if (json === null) return {};
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** The value of `property:KEY`; '' when absent. */
export function toPropertyText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** As texts of the dictionary are: without U+0000 and lone surrogates. */
export function toText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}
