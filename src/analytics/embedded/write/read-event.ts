import { isOwnPath } from '../../../db/packed-address.ts';
import { unpackPlace } from '../../../db/packed-place.ts';
import { unpackTexts } from '../../../db/packed-texts.ts';
import type { LogEvent } from '../../../log/follower.ts';
import { CLIENT_DIMENSIONS, type ClientDimension, ORIGIN_DIMENSIONS } from '../../../vocabulary/analytics.ts';
import { DEVICE_TYPES, EVENT_FLAGS } from '../../../vocabulary/contract.ts';
import { readAddress } from '../../derive/address.ts';
import { toClass } from '../../derive/class.ts';
import { toCountedBy } from '../../derive/counted-by.ts';
import { deriveOrigin } from '../../derive/origin.ts';
import { eventName, readProperties } from '../../derive/properties.ts';
import { toScreenSize } from '../../derive/screen-size.ts';
import { hashSession } from '../../derive/session.ts';
import { toText } from '../../derive/text.ts';
import type { Dictionary, FirstUse } from '../dictionary/dictionary.ts';
import type { WebsiteDictionaries } from '../dictionary/website-dictionaries.ts';
import { dayOf } from '../segment/schema.ts';
import type { NewEvent, PropertyCode } from './new-event.ts';

type Address = { page: number; hostname: number; hasQuery: boolean };
const CACHED_MAX = 3_000;
const NO_PROPERTIES: readonly PropertyCode[] = [];

/**
 * Reads events of one website from the log, in the order of their keys: a text that an event introduces has no code for
 * earlier events. Most events share their address, origin and client with others, so recent ones are cached by their stored
 * texts, and only new texts are unpacked.
 */
export function createEventReader(dictionaries: WebsiteDictionaries): (event: LogEvent) => NewEvent {
  const addresses = new Map<string, Address>();
  const origins = new Map<string, readonly number[]>();
  const clients = new Map<string, readonly number[]>();
  const originDictionaries = ORIGIN_DIMENSIONS.map((name) => dictionaries.get(name));
  let isFolded = false;

  /** Not cached when folded into OTHER: the text may get a code on another day. */
  function intern(dictionary: Dictionary, text: string, firstUse: FirstUse): number {
    const code = dictionary.intern(text, firstUse);
    if (code !== undefined) return code;
    isFolded = true;
    return dictionary.other();
  }

  function remembered<Value>(cache: Map<string, Value>, word: string, make: () => Value): Value {
    const hit = cache.get(word);
    if (hit !== undefined) return hit;
    isFolded = false;
    const made = make();
    if (isFolded) return made;
    if (cache.size >= CACHED_MAX) cache.clear();
    cache.set(word, made);
    return made;
  }

  function address(event: LogEvent, firstUse: FirstUse): Address {
    return remembered(addresses, addressWord(event), () => {
      const read = readAddress(unpackTexts(event).url, event.flags);
      return {
        page: intern(dictionaries.get('page'), read.page, firstUse),
        hostname: intern(dictionaries.get('hostname'), read.hostname, firstUse),
        hasQuery: read.query !== undefined,
      };
    });
  }

  function origin(event: LogEvent, known: Address, firstUse: FirstUse): readonly number[] {
    const hasHost = known.hostname !== 0;
    // A page of the same host is not a referrer.
    const isNone = event.referrer === null || (hasHost && isOwnPath(event.referrer));
    // Without a query, the origin depends on the two hosts only. That is true of most events within a website.
    const page = hasHost && !known.hasQuery ? known.hostname : `#${addressWord(event)}`;
    return remembered(origins, `${page}\0${isNone ? '' : event.referrer}`, () => {
      const texts = unpackTexts(event);
      const values = deriveOrigin(readAddress(texts.url, event.flags), isNone ? null : texts.referrer);
      return values.map((value, index) => intern(originDictionaries[index] as Dictionary, value, firstUse));
    });
  }

  function client(event: LogEvent, firstUse: FirstUse): readonly number[] {
    return remembered(clients, clientWord(event), () => {
      const { browser, browserVersion, os, osVersion, language, screen } = unpackTexts(event);
      const device = event.deviceType === null ? '' : (DEVICE_TYPES[event.deviceType] ?? '');
      const texts: Record<ClientDimension, string | null> = {
        country: event.location,
        ...unpackPlace(event.place),
        deviceType: device,
        browser,
        browserVersion,
        os,
        osVersion,
        language,
        screen,
        screenSize: toScreenSize(screen),
        bot: event.bot,
        countedBy: toCountedBy(event.flags),
      };
      return CLIENT_DIMENSIONS.map((name) =>
        intern(dictionaries.get(name), toText(texts[name] ?? ''), firstUse),
      );
    });
  }

  /** Drops keys for which there is no room. */
  function properties(json: string, firstUse: FirstUse): readonly PropertyCode[] {
    const found: PropertyCode[] = [];
    for (const { key, value, number } of readProperties(json)) {
      const code = dictionaries.get('propertyKey').intern(key, firstUse);
      if (code === undefined || code === 0) continue;
      const values = dictionaries.property(code);
      found.push({ key: code, value: intern(values, value, firstUse), isNumber: number !== undefined });
    }
    return found;
  }

  return (event) => {
    const firstUse = { key: event.key, day: dayOf(event.createdAtMs) };
    const known = address(event, firstUse);
    const ofOrigin = origin(event, known, firstUse);
    const ofClient = client(event, firstUse);
    const name = event.properties === null ? '' : nameOf(event, event.properties);
    return {
      key: event.key,
      atMs: event.createdAtMs,
      visitor: dictionaries.visitors.intern(event.visitorId),
      class: toClass(event.flags),
      eventType: event.type + 1,
      page: known.page,
      hostname: known.hostname,
      event: name === '' ? 0 : intern(dictionaries.get('event'), name, firstUse),
      session: hashSession(event.sessionId),
      facts: [...ofOrigin, ...ofClient],
      properties: event.properties === null ? NO_PROPERTIES : properties(event.properties, firstUse),
    };
  };
}

function nameOf({ type }: LogEvent, json: string): string {
  return eventName(type, readProperties(json), json);
}

/** Differs for different addresses: the fragment of some is a route. */
function addressWord({ url, flags }: LogEvent): string {
  return flags & EVENT_FLAGS.route ? `\u001f${url}` : url;
}

/** Differs for different clients. The first letter separates packed clients (bytes) from others. */
function clientWord(event: LogEvent): string {
  const { deviceType, browser, os, location, language, screen, bot, place, flags } = event;
  const isText = browser === null || typeof browser === 'string';
  const parts = {
    location,
    deviceType,
    browser: isText ? browser : Buffer.from(browser as Uint8Array).toString('latin1'), // also accepts an ArrayBuffer
    os,
    language,
    screen,
    bot,
    place,
    countedBy: flags & EVENT_FLAGS.anonymous,
  };
  return `${isText ? 't' : 'b'}${Object.values(parts).join('\0')}`; // null becomes the empty text
}
