import {
  CLIENT_DIMENSIONS,
  type ClientDimension,
  ORIGIN_DIMENSIONS,
  type OriginDimension,
} from '../../../src/vocabulary/analytics.ts';
import { toReadableHost, toReadablePage, toText } from './forms.ts';
import { type Bounds, createNames, type Names, OTHER } from './names.ts';
import { readOrigin } from './origin.ts';
import { dayOf, type RawEvent } from './raw-event.ts';

/** An event with all its fields, '' where one is absent. */
export type EventFacts = {
  event: RawEvent;
  page: string;
  hostname: string;
  /** Name of a custom event. */
  name: string;
  /** Origin of a visit that begins with it. */
  origin: Record<OriginDimension, string>;
  client: Record<ClientDimension, string>;
  /** Properties that are neither null nor empty. */
  properties: Map<string, PropertyFacts>;
  /** The page and the name, whatever became of them among the others. */
  own: { page: string; name: string };
};
/** `number`: of a value that is a JSON number and kept its name. */
export type PropertyFacts = { text: string; number: number | undefined };

/** @param events all events of one website */
export function toEventFacts(events: readonly RawEvent[], bounds: Bounds): EventFacts[] {
  const names = createNames(bounds);
  return events.toSorted((a, b) => a.key - b.key).map((event) => withNames(readEvent(event), names));
}

function readEvent(event: RawEvent): EventFacts {
  const url = URL.parse(event.url);
  const route = (event.flags & 128) !== 0 ? (url?.hash.split('?')[0] ?? '') : '';
  const page = toText(url ? toReadablePage(url.pathname + route) : event.url);
  const hostname = toText(toReadableHost((url?.hostname ?? '').replace(/\.$/, '')));
  const name = readName(event);
  const [origin, client] = [readOrigin(event, hostname), readClient(event)];
  return {
    event,
    page,
    hostname,
    name,
    origin,
    client,
    properties: readProperties(event),
    own: { page, name },
  };
}

/**
 * With "(other)" in place of what has no name. Each event counts with all that it says, whether a visit begins with it
 * or not.
 */
function withNames(facts: EventFacts, names: Names): EventFacts {
  const day = dayOf(facts.event);
  const named = <Dimension extends string>(list: readonly Dimension[], texts: Record<Dimension, string>) =>
    Object.fromEntries(
      list.map((dimension) => [dimension, names.nameOf(dimension, texts[dimension], day)]),
    ) as Record<Dimension, string>; // one for each
  return {
    ...facts,
    page: names.nameOf('page', facts.page, day),
    hostname: names.nameOf('hostname', facts.hostname, day),
    name: names.nameOf('event', facts.name, day),
    origin: named(ORIGIN_DIMENSIONS, facts.origin),
    client: named(CLIENT_DIMENSIONS, facts.client),
    properties: nameProperties(facts.properties, names, day),
  };
}

/** A key without a name is left out; a value without one is "(other)", and no number. */
function nameProperties(
  properties: EventFacts['properties'],
  names: Names,
  day: number,
): EventFacts['properties'] {
  const named = new Map<string, PropertyFacts>();
  for (const [key, value] of properties) {
    if (!names.isNamed('propertyKey', key, day)) continue;
    const text = names.nameOf(`property:${key}`, value.text, day);
    named.set(key, { text, number: text === OTHER ? undefined : value.number });
  }
  return named;
}

function readClient(event: RawEvent): EventFacts['client'] {
  const {
    location,
    region,
    city,
    deviceType,
    browser,
    browserVersion,
    os,
    osVersion,
    language,
    screen,
    bot,
  } = event;
  return {
    country: toText(location ?? ''),
    region: toText(region ?? ''),
    city: toText(city ?? ''),
    deviceType: deviceType ?? '',
    browser: toText(browser ?? ''),
    browserVersion: toText(browserVersion ?? ''),
    os: toText(os ?? ''),
    osVersion: toText(osVersion ?? ''),
    language: toText(language ?? ''),
    screen: toText(screen ?? ''),
    screenSize: readScreenSize(screen ?? ''),
    bot: toText(bot ?? ''),
    countedBy: event.flags & 256 ? 'day' : 'browser',
  };
}

function readScreenSize(screen: string): string {
  if (!/^[1-9]\d{0,4}x[1-9]\d{0,4}$/.test(screen)) return '';
  const width = Number(screen.split('x')[0]);
  if (width < 576) return 'small';
  if (width < 992) return 'medium';
  return width < 1440 ? 'large' : 'extra large';
}

function readName(event: RawEvent): string {
  if (event.eventType !== 'custom') return '';
  const [, name] = Object.entries(parse(event.properties)).find(([key]) => key === 'name') ?? [];
  return typeof name === 'string' ? toText(name) : '';
}

/** Where keys become the same text, the last present value counts, in the first's position. */
function readProperties(event: RawEvent): EventFacts['properties'] {
  const properties = new Map<string, PropertyFacts>();
  for (const [key, value] of Object.entries(parse(event.properties))) {
    const text = toText(key === 'revenue' ? toRevenueText(value) : toPropertyText(value));
    const number = typeof value === 'number' ? value : undefined;
    if (text !== '') properties.set(toText(key), { text, number });
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

function toPropertyText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Too long, an amount stands without its currency. */
function toRevenueText(value: unknown): string {
  const text = toPropertyText(value);
  const isMoney = typeof value === 'object' && value !== null && 'amount' in value && 'currency' in value;
  if (text.length <= 255 || !isMoney) return text;
  return JSON.stringify({ amount: value.amount, currency: value.currency });
}
