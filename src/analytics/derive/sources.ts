import { ASSISTANTS } from './sources/assistants.ts';
import { EMAIL } from './sources/email.ts';
import { PAYMENT, SIGN_IN, SIGN_IN_SERVICES, TRANSLATORS } from './sources/on-the-way.ts';
import { DISPLAY, PAID_SEARCH, PAID_SHOPPING } from './sources/paid.ts';
import { SEARCH } from './sources/search.ts';
import { SHOPPING } from './sources/shopping.ts';
import { SOCIAL } from './sources/social.ts';
import { VIDEO } from './sources/video.ts';

/**
 * Kind of a source, where it decides the channel. Each kind has a table in `sources/`, with a line for each source:
 * its name (`_` is a space), then its hosts, the packages of its Android apps, and the words that campaigns use in
 * `utm_source`. `google.*` is `google` before any ending (`de`, `co.uk`). In a line that begins with `-`, each key is a
 * source of its own name; `digg(.com)` is the host, and the word for it.
 */
export type SourceKind = 'search' | 'social' | 'video' | 'shopping' | 'ai' | 'email' | 'display';
export type KnownSource = {
  name: string;
  kind: SourceKind;
  /** Visits from there are paid for, whatever their address says. */
  isPaid: boolean;
};

const TABLES: readonly [kind: SourceKind, table: string, isPaid?: boolean][] = [
  ['search', SEARCH],
  ['social', SOCIAL],
  ['video', VIDEO],
  ['shopping', SHOPPING],
  ['ai', ASSISTANTS],
  ['email', EMAIL],
  ['search', PAID_SEARCH, true],
  ['shopping', PAID_SHOPPING, true],
  ['display', DISPLAY, true],
];

/** Labels below the domain of a search engine that search as well; `search` itself does so wherever it stands. */
const SEARCHING = new Set(
  (
    'www m mobile wap lite web image images img scholar lens cse ' +
    'suche ricerca recherche busca buscador szukaj hledani ' +
    'ar at au be br ca ch cl cn co de dk es espanol eu fi fr gr hk ie in it jp kr mx nl no nz pe ph pl pt ru se sg th tr tw uk us ve vn za'
  ).split(' '),
);
/** Labels of what a company has for its developers, customers and staff: no part of the service that sends visitors. */
const APART = new Set(
  'about api aws careers cloud console dev developer developers docs engineering help investor investors jobs kdp music newsroom press sellercentral status support'.split(
    ' ',
  ),
);
/** The first label of a company's own mail in the browser. */
const WEBMAIL = /^(?:web|e)?mail\d?\.[^.]+\.[^.]+/;

/** By a host, `name.*`, a package or a word, each as `toWord` has it. */
const KNOWN = readTables();
const ON_THE_WAY: ReadonlyMap<string, true> = new Map(
  [SIGN_IN, PAYMENT, TRANSLATORS].flatMap((table) => table.trim().split(/\s+/)).map((key) => [key, true]),
);
const SIGN_IN_DOMAINS = new Set(SIGN_IN_SERVICES.split(' '));
const OWN_MACHINE = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * The source of a campaign or a referrer.
 *
 * @param text a word of a campaign, an address, a package, or a host with or without `www.`
 */
export function findSource(text: string): KnownSource | undefined {
  const word = text.toLowerCase();
  const host = word.replace(/^www\./, '');
  return host.includes('.') && !word.includes(' ') ? findHost(host) : findWord(word);
}

/** Visitors who come from there were elsewhere before: they signed in, paid, or read a translation. */
export function isOnTheWay(host: string): boolean {
  const labels = host.split('.');
  const isService = labels.length > 2 && SIGN_IN_DOMAINS.has(labels.slice(-2).join('.'));
  return isService || OWN_MACHINE.test(host) || lookUp(ON_THE_WAY, host) !== undefined;
}

/** Normalises the separators of a word: `facebook-ads`, `Facebook_Ads`, `facebook ads`. */
function toWord(text: string): string {
  return text.replace(/[-_\s]/g, '');
}

/** A word with `ads` behind it is the same source, paid for. */
function findWord(text: string): KnownSource | undefined {
  const word = toWord(text);
  const known = KNOWN.get(word);
  if (known) return known;
  const advertiser = KNOWN.get(/^(.+?)ads?$/.exec(word)?.[1] ?? '');
  return advertiser && { ...advertiser, isPaid: true };
}

function findHost(host: string): KnownSource | undefined {
  const exact = KNOWN.get(host);
  if (exact) return exact;
  if (isOnTheWay(host)) return undefined;
  const found = lookUp(KNOWN, host);
  if (found && isPartOf(found.value, found.below)) return found.value;
  return WEBMAIL.test(host) ? { name: host, kind: 'email', isPaid: false } : undefined;
}

/**
 * The rule for hosts below one of the tables. Search is the host itself and the hosts below it that search, because
 * such companies have much else. All other kinds have every host below theirs, but for what is kept apart.
 */
function isPartOf({ kind, isPaid }: KnownSource, below: readonly string[]): boolean {
  if (isPaid) return true;
  if (kind === 'search') return below.includes('search') || below.every((label) => SEARCHING.has(label));
  return !below.some((label) => APART.has(label));
}

/** Looks up the host, or else its nearest parent in the table. Returns the entry and the labels below it. */
function lookUp<Value>(
  table: ReadonlyMap<string, Value>,
  host: string,
): { value: Value; below: string[] } | undefined {
  const labels = host.split('.');
  const endings = /^(com?|org|net|gov|ac)$/.test(labels.at(-2) ?? '') ? [1, 2] : [1];
  for (let first = 0; first < labels.length - 1; first += 1) {
    const names = [labels.slice(first), ...endings.map((count) => [...labels.slice(first, -count), '*'])];
    for (const name of names) {
      const value = table.get(name.join('.'));
      if (value) return { value, below: labels.slice(0, first) };
    }
  }
  return undefined;
}

function readTables(): Map<string, KnownSource> {
  const known = new Map<string, KnownSource>();
  for (const [kind, table, isPaid = false] of TABLES)
    for (const line of table.trim().split('\n')) {
      const [first = '', ...keys] = line.split(' ');
      const name = first.replaceAll('_', ' ');
      const shared = { name, kind, isPaid };
      for (const key of keys) {
        const [, word = '', ending] = /^([^(]+)\((.+)\)$/.exec(key) ?? [];
        const host = ending ? word + ending : key;
        const source = first === '-' ? { ...shared, name: host } : shared;
        known.set(host.includes('.') ? host : toWord(host), source);
        if (ending) known.set(toWord(word), source);
      }
    }
  return known;
}
