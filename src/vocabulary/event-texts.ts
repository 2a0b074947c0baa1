import { type DeviceType, EVENT_FLAGS } from './contract.ts';

type EventText = {
  lengthMax: number;
  description: string;
  examples?: readonly string[];
  /** What the server fills in when it is absent, and the bit of EVENT_FLAGS that says that it was not. */
  filledIn?: { from: string; suppliedFlag: number };
};

/** The texts that describe who sent an event: any may be absent. What is submitted, stored, answered and exported follows from this list. */
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

/** What the server alone reads of a User-Agent: major versions, and the name of a bot. */
export const READ_TEXT_NAMES = ['browserVersion', 'osVersion', 'bot'] as const;
export type ReadTexts = Record<(typeof READ_TEXT_NAMES)[number], string | null>;
export const NO_READ_TEXTS: ReadTexts = { browserVersion: null, osVersion: null, bot: null };

export type EventTextName = keyof typeof EVENT_TEXTS;
export type EventTexts = Record<EventTextName, string | null>;
export const EVENT_TEXT_NAMES = Object.keys(EVENT_TEXTS) as EventTextName[]; // the keys of the list

/** A value for each, in this order. */
export function mapEventTexts<Value>(
  toValue: (name: EventTextName, text: EventText) => Value,
): Record<EventTextName, Value> {
  const values = {} as Record<EventTextName, Value>; // filled below
  for (const name of EVENT_TEXT_NAMES) values[name] = toValue(name, EVENT_TEXTS[name]);
  return values;
}

/** Those that are there, of an event whose `flags` say what the server has filled in. */
export function presentTexts(texts: EventTexts, isShown: (name: EventTextName) => boolean = () => true) {
  const present: Partial<Record<EventTextName, string>> = {};
  for (const name of EVENT_TEXT_NAMES) {
    const text = texts[name];
    if (text !== null && isShown(name)) present[name] = text;
  }
  return present;
}

/** Of what a sender supplied: its bits of EVENT_FLAGS. */
export function suppliedFlags(supplied: EventTexts & { deviceType: DeviceType | null }): number {
  let flags = supplied.deviceType === null ? 0 : EVENT_FLAGS.suppliedDeviceType;
  for (const name of EVENT_TEXT_NAMES) if (supplied[name] !== null) flags |= suppliedFlag(name);
  return flags;
}

/** 0 for a text that the server never fills in. */
export function suppliedFlag(name: EventTextName): number {
  const { filledIn }: EventText = EVENT_TEXTS[name];
  return filledIn?.suppliedFlag ?? 0;
}
