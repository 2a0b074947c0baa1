/** Reads the browser, operating system and kind of device from a User-Agent, and whether it is a bot. */

import type { DeviceType } from '../vocabulary/contract.ts';
import { EVENT_TEXTS } from '../vocabulary/event-texts.ts';
import { findBot } from './bots.ts';
import { type ClientHints, toKey, withClientHints } from './client-hints.ts';
import type { UserAgentDescription } from './user-agent-description.ts';
import {
  BROWSER_PATTERNS,
  BROWSERS,
  CONSOLE,
  DESKTOP_SYSTEMS,
  PHONE_SYSTEMS,
  SYSTEMS,
  TABLET_MODEL,
  TELEVISION,
  WINDOWS_VERSIONS,
  WORN,
} from './user-agent-names.ts';

/** The bound keeps the worst text found for the patterns at 3 ms. */
const TEXT_LENGTH_MAX = 512;
/** Length of a User-Agent and of client hints that are remembered. */
const KEY_LENGTH_MAX = 2 * TEXT_LENGTH_MAX;
const GENERATION_ENTRIES_MAX = 2_048;
/**
 * A missing User-Agent does not make a bot: the list (isbot) says so for an empty text, and
 * a back end that reports its own events often sends none. Programs that name themselves (curl, axios,
 * Bun) are bots, as the list has it.
 */
const UNKNOWN: UserAgentDescription = Object.freeze({ isBot: false });

export type UserAgents = ReturnType<typeof createUserAgents>;

export function createUserAgents() {
  /** Two generations: a hit in the old one moves to the new one; when that is full, the old one is dropped. */
  let recent = new Map<string, UserAgentDescription>();
  let older = new Map<string, UserAgentDescription>();

  /** Never throws, and takes any text; what stands after the first 512 characters is not looked at. */
  function describe(userAgent: string | null, hints?: ClientHints): UserAgentDescription {
    if (userAgent === null || userAgent === '') return UNKNOWN;
    // Longer ones are not remembered: a cut string would keep the whole of a 16 KB header alive as its key.
    if (userAgent.length > TEXT_LENGTH_MAX) return read(userAgent.slice(0, TEXT_LENGTH_MAX), hints);
    const key = hints ? `${userAgent}\n${toKey(hints)}` : userAgent;
    if (key.length > KEY_LENGTH_MAX) return read(userAgent, hints);
    const known = recent.get(key);
    if (known !== undefined) return known;
    const description = older.get(key) ?? read(userAgent, hints);
    remember(key, description);
    return description;
  }

  function remember(key: string, description: UserAgentDescription): void {
    if (recent.size >= GENERATION_ENTRIES_MAX) {
      older = recent;
      recent = new Map();
    }
    recent.set(key, description);
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

type Named = { name: string; version: string | undefined };

/** No browser but those made of Chromium sends hints. */
function read(text: string, hints: ClientHints | undefined): UserAgentDescription {
  const description = readUserAgent(text);
  const hasHints = hints !== undefined && /chrome\//i.test(text);
  return Object.freeze(hasHints ? withClientHints(description, hints, text) : description);
}

function readUserAgent(text: string): UserAgentDescription {
  const lower = text.toLowerCase();
  const products = readProducts(lower);
  const os = readSystem(lower, products);
  const browser = readBrowser(lower, products, os?.name);
  const deviceType = readDevice(lower, os?.name);
  const bot = findBot(text);
  return {
    ...(browser && { browser: browser.name }),
    ...(browser?.version && { browserVersion: browser.version }),
    ...(os && { os: os.name }),
    ...(os?.version && { osVersion: os.version }),
    ...(deviceType && { deviceType }),
    isBot: bot !== undefined,
    ...(bot && { bot: bot.slice(0, EVENT_TEXTS.browser.lengthMax) }),
  };
}

const PRODUCT = /([a-z_0-9][\w.+-]*)[/ ]v?(\d+)/g;

/** The major versions of the products that are named: `chrome/131.0`, `instagram 340.0`. The first of a name counts. */
function readProducts(lower: string): Map<string, string> {
  const products = new Map<string, string>();
  for (const [, name = '', version = ''] of lower.matchAll(PRODUCT))
    if (!products.has(name)) products.set(name, version);
  return products;
}

function readBrowser(
  lower: string,
  products: Map<string, string>,
  os: string | undefined,
): Named | undefined {
  for (const [pattern, name] of BROWSER_PATTERNS) {
    const [found, version = products.get('fbav')] = pattern.exec(lower) ?? [];
    if (found !== undefined) return { name, version };
  }
  let best: { name: string; rank: number } | undefined;
  let version: string | undefined;
  for (const [product, number] of products) {
    const browser = BROWSERS.get(product);
    if (!browser || (best && best.rank <= browser.rank)) continue;
    best = browser;
    version = number;
  }
  // Opera said 9.80 for years, and its version elsewhere.
  if (best?.name === 'Opera' && version === '9') version = products.get('version') ?? version;
  if (best) return { name: best.name, version };
  return readPlainBrowser(lower, products, os);
}

/** A page inside an app on iOS names its engine only; by Apple's rule that engine is Safari's. */
function readPlainBrowser(
  lower: string,
  products: Map<string, string>,
  os: string | undefined,
): Named | undefined {
  const version = products.get('version');
  if (os === 'iOS') return lower.includes('applewebkit') ? { name: 'Safari', version } : undefined;
  if (!lower.includes('safari')) return undefined;
  if (os === 'Android') return { name: 'Android Browser', version };
  return { name: 'Safari', version };
}

function readSystem(lower: string, products: Map<string, string>): Named | undefined {
  for (const [pattern, name] of SYSTEMS) {
    const found = pattern.exec(lower);
    if (!found) continue;
    const version = found.slice(1).find((group) => group !== undefined);
    return { name, version: toSystemVersion(name, version, lower, products) };
  }
  return undefined;
}

function toSystemVersion(
  name: string,
  version: string | undefined,
  lower: string,
  products: Map<string, string>,
): string | undefined {
  if (version === undefined) return undefined;
  if (name === 'Windows') return WINDOWS_VERSIONS.get(version) ?? version.split('.')[0];
  // From iOS 26 on the system says 18; only the browser that belongs to it has the true number.
  const own = products.get('version') ?? '';
  if (
    name === 'iOS' &&
    version === '18' &&
    Number(own) >= 26 &&
    /version\/\S+ mobile\/\S+ safari\//.test(lower)
  )
    return own;
  return version;
}

function readDevice(lower: string, os: string | undefined): DeviceType | undefined {
  if (CONSOLE.test(lower) || TELEVISION.test(lower)) return 'desktop';
  if (lower.includes('ipad')) return 'tablet';
  if (os === undefined) return FEATURE_PHONE.test(lower) ? 'mobile' : undefined;
  if (PHONE_SYSTEMS.has(os)) return 'mobile';
  if (WORN.test(lower)) return 'mobile';
  if (os === 'Android' || os === 'HarmonyOS' || os === 'Tizen' || os === 'Fuchsia')
    return readHandheld(lower);
  if (/\bmobile\b/.test(lower) && os === 'Linux') return 'mobile';
  return DESKTOP_SYSTEMS.has(os) || os === 'tvOS' || os === 'webOS' ? 'desktop' : undefined;
}

const FEATURE_PHONE = /\bmobile\b|\bmidp|\bj2me|\bup\.browser|\bwap\b|\bbrew\b/;
/** First parentheses of a User-Agent, which describe the device. */
const COMMENT = /\(([^)]*)/;

/** Browsers on Android say `Mobile` on phones, and leave it out on tablets. */
function readHandheld(lower: string): DeviceType {
  if (/\(pc;/.test(lower)) return 'desktop';
  const [, model = ''] = COMMENT.exec(lower) ?? [];
  if (TABLET_MODEL.test(model) || lower.includes('/apad')) return 'tablet';
  return /\bmobile\b|\(phone;|opera m/.test(lower) ? 'mobile' : 'tablet';
}
