import { REVENUE_KEY } from '../../../vocabulary/analytics.ts';
import {
  DICTIONARIES,
  DIMENSION_RECORDS,
  type DictionaryName,
  PROPERTY_KEYS_A_DAY,
  PROPERTY_VALUES_A_DAY,
} from '../../dimensions.ts';
import { Dictionary, type SharedBound, type TermStore } from './dictionary.ts';
import { VisitorCodes, type VisitorStore } from './visitor-codes.ts';

/**
 * Scopes of a website. A scope is websiteKey × SCOPES + dictionary number; property values follow the named dictionaries.
 */
const SCOPES = 2 ** 24;
const FIRST_PROPERTY = 64;

const CACHED_BYTES_MAX = 1024 * 1024;
/** Small, because a website may have a thousand property keys. */
const CACHED_VALUES_BYTES_MAX = 64 * 1024;
/** Approximate memory of a dictionary besides its texts. */
const DICTIONARY_BYTES = 1_500;

/** Returns the first scope of a website and one past its last. */
export function scopesOf(websiteKey: number): [from: number, to: number] {
  return [websiteKey * SCOPES, (websiteKey + 1) * SCOPES];
}

export function scopeOf(websiteKey: number, dictionary: DictionaryName): number {
  return websiteKey * SCOPES + DICTIONARIES.indexOf(dictionary);
}

export function propertyScopeOf(websiteKey: number, propertyKey: number): number {
  return websiteKey * SCOPES + FIRST_PROPERTY + propertyKey;
}

/** Maximum new texts per website and day. Undefined means those of DIMENSION_RECORDS; tests use small ones. */
export type Bounds = { pages: number; hosts: number; values: number };

/** The dictionaries of one website. */
export class WebsiteDictionaries {
  readonly #named: Record<DictionaryName, Dictionary>;
  readonly #properties = new Map<number, Dictionary>();
  /** New property values by UTC day, over all keys. */
  readonly #valuesOn = new Map<number, number>();
  readonly #valuesADay: number;
  readonly #revenueADay: number;

  constructor(
    readonly websiteKey: number,
    readonly terms: TermStore,
    visitors: VisitorStore,
    visitorCount: number,
    bounds: Bounds | undefined,
  ) {
    this.visitors = new VisitorCodes(visitors, websiteKey, visitorCount);
    this.#valuesADay = bounds?.values ?? DIMENSION_RECORDS.event.newTextsADay;
    this.#revenueADay = bounds?.pages ?? DIMENSION_RECORDS.page.newTextsADay;
    const named = DICTIONARIES.map((name) => [
      name,
      new Dictionary(terms, scopeOf(websiteKey, name), {
        newTextsADay: newTextsADay(name, bounds),
        cachedBytesMax: CACHED_BYTES_MAX,
      }),
    ]);
    this.#named = Object.fromEntries(named); // one for each name
  }

  readonly visitors: VisitorCodes;

  get(name: DictionaryName): Dictionary {
    return this.#named[name];
  }

  /** Returns the dictionary of values of one property key, by the key's code. */
  property(key: number): Dictionary {
    const known = this.#properties.get(key);
    if (known) return known;
    const isRevenue = this.get('propertyKey').text(key) === REVENUE_KEY;
    const newTextsADay = isRevenue ? this.#revenueADay : this.#valuesADay;
    const values = new Dictionary(this.terms, propertyScopeOf(this.websiteKey, key), {
      newTextsADay,
      cachedBytesMax: CACHED_VALUES_BYTES_MAX,
      ...(!isRevenue && { shared: this.#values }),
    });
    this.#properties.set(key, values);
    return values;
  }

  readonly #values: SharedBound = {
    isFull: (day) => this.#newValuesOn(day) >= PROPERTY_VALUES_A_DAY,
    add: (day) => void this.#valuesOn.set(day, this.#newValuesOn(day) + 1),
  };

  /** Counts the new values of a day once, then keeps the count. */
  #newValuesOn(day: number): number {
    const known = this.#valuesOn.get(day);
    if (known !== undefined) return known;
    const [, end] = scopesOf(this.websiteKey);
    let count = this.terms.newWithin(propertyScopeOf(this.websiteKey, 0), end, day);
    for (const values of this.#properties.values()) count += values.pendingOn(day);
    this.#valuesOn.set(day, count);
    return count;
  }

  /** Frees the memory of property values that are on disk; they are read again when needed. Do not call during a vacuum. */
  forgetProperties(): void {
    for (const [key, values] of this.#properties) if (values.isSaved) this.#properties.delete(key);
  }

  get bytes(): number {
    let bytes = this.visitors.bytes;
    for (const dictionary of this.all()) bytes += DICTIONARY_BYTES + dictionary.bytes;
    return bytes;
  }

  /** Bytes that are not on disk. */
  get unsavedBytes(): number {
    return this.all().reduce(
      (bytes, dictionary) => bytes + dictionary.unsavedBytes,
      this.visitors.unsavedBytes,
    );
  }

  beginSave(): (() => void)[] {
    const writes = this.all().flatMap((dictionary) => dictionary.beginSave());
    return [...writes, ...this.visitors.beginSave()];
  }

  endSave(): void {
    for (const dictionary of this.all()) dictionary.endSave();
    this.visitors.endSave();
  }

  /** Call after `endVacuum` of the dictionaries. */
  endVacuum(): void {
    this.visitors.endVacuum();
    this.#valuesOn.clear();
  }

  all(): Dictionary[] {
    return [...Object.values(this.#named), ...this.#properties.values()];
  }
}

function newTextsADay(name: DictionaryName, bounds: Bounds | undefined): number {
  if (name === 'propertyKey') return PROPERTY_KEYS_A_DAY;
  const { newTextsADay } = DIMENSION_RECORDS[name];
  if (!bounds || newTextsADay === Number.POSITIVE_INFINITY) return newTextsADay;
  if (name === 'page') return bounds.pages;
  return name === 'hostname' || name === 'referrer' ? bounds.hosts : bounds.values;
}
