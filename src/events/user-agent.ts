/** What a User-Agent says about its sender: browser, operating system, kind of device, and whether a bot. */

import type { DeviceType } from '../vocabulary/contract.ts';
import { EVENT_TEXTS } from '../vocabulary/event-texts.ts';
import {
  BROWSER_NAMES,
  DESKTOP_SYSTEMS,
  DEVICE_TYPES_BY_NAME,
  ENGINE_NAMES,
  OS_NAMES,
} from './user-agent-names.ts';

export type UserAgentDescription = {
  readonly browser?: string;
  readonly os?: string;
  readonly deviceType?: DeviceType;
  readonly isBot: boolean;
};

/** The part of ua-parser-js 1 that is used; the package brings no types. */
type UserAgentParser = {
  getBrowser(): { name: string | undefined };
  getOS(): { name: string | undefined };
  getDevice(): { type: string | undefined };
};
type Parsers = {
  UAParser: new (userAgent: string) => UserAgentParser;
  isbot: (userAgent: string) => boolean;
};

/** The parser itself looks at 500; the bound keeps the worst text found for its patterns at 3 ms. */
const TEXT_LENGTH_MAX = 512;
const GENERATION_ENTRIES_MAX = 2_048;
/**
 * Without a User-Agent nothing is known, and that is no bot: the list (isbot) says so for an empty text, and
 * a back end that reports its own events often sends none. Programs that name themselves (curl, axios,
 * Bun) are bots, as the list has it.
 */
const UNKNOWN: UserAgentDescription = Object.freeze({ isBot: false });

export type UserAgents = ReturnType<typeof createUserAgents>;

export function createUserAgents() {
  let parsers: Parsers | undefined;
  /** Two generations: a hit in the old one moves to the new one; when that is full, the old one is dropped. */
  let recent = new Map<string, UserAgentDescription>();
  let older = new Map<string, UserAgentDescription>();

  function parse(text: string): UserAgentDescription {
    parsers ??= loadParsers();
    return parseWith(parsers, text);
  }

  /** Never throws, and takes any text; what stands after the first 512 characters is not looked at. */
  function describe(userAgent: string | null): UserAgentDescription {
    if (userAgent === null || userAgent === '') return UNKNOWN;
    // Longer ones are not remembered: a cut string would keep the whole of a 16 KB header alive as its key.
    if (userAgent.length > TEXT_LENGTH_MAX) return parse(userAgent.slice(0, TEXT_LENGTH_MAX));
    const known = recent.get(userAgent);
    if (known !== undefined) return known;
    const description = older.get(userAgent) ?? parse(userAgent);
    remember(userAgent, description);
    return description;
  }

  function remember(userAgent: string, description: UserAgentDescription): void {
    if (recent.size >= GENERATION_ENTRIES_MAX) {
      older = recent;
      recent = new Map();
    }
    recent.set(userAgent, description);
  }

  return {
    describe,

    /** For people: "Chrome on macOS"; undefined when neither is known. */
    describeClient(userAgent: string | null): string | undefined {
      const { browser, os } = describe(userAgent);
      return browser && os ? `${browser} on ${os}` : (browser ?? os);
    },
  };
}

function parseWith({ UAParser, isbot }: Parsers, text: string): UserAgentDescription {
  const parser = new UAParser(text);
  const os = toName(parser.getOS().name, OS_NAMES);
  const browser = toBrowser(parser.getBrowser().name, os);
  const deviceType = toDeviceType(parser.getDevice().type, os);
  return Object.freeze({
    ...(browser === undefined ? {} : { browser }),
    ...(os === undefined ? {} : { os }),
    ...(deviceType === undefined ? {} : { deviceType }),
    isBot: isbot(text),
  });
}

/** `require` has no type of its own; here it loads the packages (4 ms) on first use, not at the start. */
function loadParsers(): Parsers {
  const { UAParser } = require('ua-parser-js') as Pick<Parsers, 'UAParser'>;
  const { isbot } = require('isbot') as Pick<Parsers, 'isbot'>;
  return { UAParser, isbot };
}

/** A page inside an app on iOS names its engine only; by Apple's rule that engine is Safari's. */
function toBrowser(parsed: string | undefined, os: string | undefined): string | undefined {
  if (parsed === undefined || !ENGINE_NAMES.has(parsed.toLowerCase())) return toName(parsed, BROWSER_NAMES);
  return os === 'iOS' ? 'Safari' : undefined;
}

function toDeviceType(parsed: string | undefined, os: string | undefined): DeviceType | undefined {
  if (parsed !== undefined) return DEVICE_TYPES_BY_NAME.get(parsed);
  return os !== undefined && DESKTOP_SYSTEMS.has(os) ? 'desktop' : undefined;
}

function toName(parsed: string | undefined, names: ReadonlyMap<string, string>): string | undefined {
  const name = parsed?.trim();
  if (name === undefined || name === '') return undefined;
  return names.get(name.toLowerCase()) ?? name.slice(0, EVENT_TEXTS.browser.lengthMax);
}
