import { giveBack } from '../garbage.ts';
import type { List, PropertyKey, Selection } from './analytics.ts';
import type { Days } from './days.ts';
import { beginScratch, takeScratch } from './panels/scratch.ts';
import { compareText } from './rank.ts';
import { createScan } from './scan.ts';
import { SOURCE_DAY, SOURCE_DAY_ZERO } from './scan-columns.ts';
import type { WebsiteTerms } from './website-terms.ts';

/** By day: who sent the matching event of each ordinal; 0 where none matches. */
type Senders = Map<number, Uint32Array>;
type Counted = { events: number; visitors: number };

/** The keys of a selection, those of most events first; equal ones by name. */
export function listPropertyKeys(
  request: Selection & { limit: number; offset: number },
  terms: WebsiteTerms,
  days: Days,
): List<PropertyKey> {
  const senders = findSenders(request, terms, days);
  const keys = new Map<string, number[]>();
  for (const day of senders.keys())
    for (const key of days.propertyKeys(day)) {
      const found = keys.get(key);
      if (found) found.push(day);
      else keys.set(key, [day]);
    }
  const words = (terms.visitors.count() >>> 5) + 1;
  const rows = [...keys]
    .map(([key, daysOfKey]): PropertyKey => {
      beginScratch();
      return { key, ...countKey(key, daysOfKey, senders, days, takeScratch(words)) };
    })
    .filter(({ events }) => events > 0)
    .sort((a, b) => b.events - a.events || compareText(a.key, b.key));
  for (const table of senders.values()) giveBack(table);
  return { rows: rows.slice(request.offset, request.offset + request.limit), total: rows.length };
}

function countKey(
  key: string,
  daysOfKey: readonly number[],
  senders: Senders,
  days: Days,
  seen: Uint32Array,
): Counted {
  const counted: Counted = { events: 0, visitors: 0 };
  for (const day of daysOfKey) {
    const ordinals = days.propertyOrdinals(day, key);
    const senderOf = senders.get(day) ?? new Uint32Array(0);
    for (let row = 0; row < ordinals.length; row += 1) {
      const person = senderOf[ordinals[row] ?? 0] ?? 0;
      if (person === 0) continue;
      counted.events += 1;
      const word = seen[person >>> 5] ?? 0;
      const bit = 1 << (person & 31);
      if ((word & bit) !== 0) continue;
      seen[person >>> 5] = word | bit;
      counted.visitors += 1;
    }
    if (ordinals instanceof Uint32Array) giveBack(ordinals); // read for this: a list for each key and day
  }
  return counted;
}

/** One pass over the matching events; the keys then need nothing but the ordinals that they have. */
function findSenders(request: Selection, terms: WebsiteTerms, days: Days): Senders {
  const senders: Senders = new Map();
  const scan = createScan({ request, terms, days, names: ['ordinal', SOURCE_DAY] });
  scan.run((day, { count, visits, hit }, isJoined) => {
    const ordinal = scan.columns.get(day, 'ordinal');
    const sourceDay = isJoined ? scan.columns.get(day, SOURCE_DAY) : undefined;
    let source = day.day;
    let table = senders.get(source) ?? new Uint32Array(1_024);
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number; // within the columns
      const person = day.visitor[visit] as number;
      const end = day.first[visit + 1] as number;
      for (let event = day.first[visit] as number; event < end; event += 1) {
        const place = ordinal[event] as number;
        if (place === 0 || (hit !== undefined && hit[event] === 0)) continue;
        if (sourceDay && source !== (sourceDay[event] as number) - SOURCE_DAY_ZERO) {
          senders.set(source, table);
          source = (sourceDay[event] as number) - SOURCE_DAY_ZERO;
          table = senders.get(source) ?? new Uint32Array(1_024);
        }
        if (place >= table.length) table = enlarged(table, place);
        table[place] = person;
      }
    }
    senders.set(source, table);
  });
  return senders;
}

function enlarged(table: Uint32Array, place: number): Uint32Array {
  const larger = new Uint32Array(Math.max(place + 1, table.length * 2));
  larger.set(table);
  giveBack(table);
  return larger;
}
