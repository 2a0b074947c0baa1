import { type DeviceType, EVENT_FLAGS } from './contract.ts';

type EventText = {
  lengthMax: number;
  description: string;
  examples?: readonly string[];
  /** Source from which the server fills in an absent text, and the bit of EVENT_FLAGS of a supplied one. */
  filledIn?: { from: string; suppliedFlag: number };
};

/**
 * Texts that describe the client of an event. Any may be absent. What is submitted, stored, answered and exported follows
 * from this list.
 */
export const EVENT_TEXTS = {
  browser: {
    lengthMax: 64,
    description: 'Browser name.',
    filledIn: { from: 'filled in from the User-Agent', suppliedFlag: EVENT_FLAGS.suppliedBrowser },
  },
  os: {
    lengthMax: 64,
    description: 'Operating system name.',
    filledIn: { from: 'filled in from the User-Agent', suppliedFlag: EVENT_FLAGS.suppliedOs },
  },
  location: {
    lengthMax: 16,
    description: 'A short geographic code.',
    examples: ['DE'],
    filledIn: {
      from: 'the country of the IP address (which is not stored)',
      suppliedFlag: EVENT_FLAGS.suppliedLocation,
    },
  },
  language: {
    lengthMax: 35,
    description: 'Language tag of the browser.',
    examples: ['en-GB'],
    filledIn: { from: 'filled in from Accept-Language', suppliedFlag: EVENT_FLAGS.suppliedLanguage },
  },
  screen: {
    lengthMax: 16,
    description: 'Size of the screen in CSS pixels.',
    examples: ['1920x1080'],
  },
} as const satisfies Record<string, EventText>;

/** Texts that only the server reads: versions and the bot of a User-Agent, region and city of an address. */
export const READ_TEXT_NAMES = ['browserVersion', 'osVersion', 'bot', 'region', 'city'] as const;
export type ReadTexts = Record<(typeof READ_TEXT_NAMES)[number], string | null>;
export const NO_READ_TEXTS: ReadTexts = {
  browserVersion: null,
  osVersion: null,
  bot: null,
  region: null,
  city: null,
};

export type EventTextName = keyof typeof EVENT_TEXTS;
export type EventTexts = Record<EventTextName, string | null>;
export const EVENT_TEXT_NAMES = Object.keys(EVENT_TEXTS) as EventTextName[]; // the keys of the list

/** Maps each text to a value, in this order. */
export function mapEventTexts<Value>(
  toValue: (name: EventTextName, text: EventText) => Value,
): Record<EventTextName, Value> {
  const values = {} as Record<EventTextName, Value>; // filled below
  for (const name of EVENT_TEXT_NAMES) values[name] = toValue(name, EVENT_TEXTS[name]);
  return values;
}

/** Returns the texts that are present in an event, without those that the server filled in according to its `flags`. */
export function presentTexts(texts: EventTexts, isShown: (name: EventTextName) => boolean = () => true) {
  const present: Partial<Record<EventTextName, string>> = {};
  for (const name of EVENT_TEXT_NAMES) {
    const text = texts[name];
    if (text !== null && isShown(name)) present[name] = text;
  }
  return present;
}

/** Returns the bits of EVENT_FLAGS for the texts that a sender supplied. */
export function suppliedFlags(supplied: EventTexts & { deviceType: DeviceType | null }): number {
  let flags = supplied.deviceType === null ? 0 : EVENT_FLAGS.suppliedDeviceType;
  for (const name of EVENT_TEXT_NAMES) if (supplied[name] !== null) flags |= suppliedFlag(name);
  return flags;
}

/** Returns 0 for a text that the server never fills in. */
export function suppliedFlag(name: EventTextName): number {
  const { filledIn }: EventText = EVENT_TEXTS[name];
  return filledIn?.suppliedFlag ?? 0;
}
