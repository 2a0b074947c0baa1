import type { DeviceType } from '../vocabulary/contract.ts';
import { mix, mixToUnit, type Random } from './random.ts';
import { toUuidV4 } from './uuid.ts';
import { COUNTRIES, chooseAgent } from './world.ts';

/** A browser and the person in front of it. */
export type Visitor = {
  id: string;
  /** A tab that stays open for days: some visits happen in it. */
  lastingSessionId: string;
  isReturning: boolean;
  deviceType: DeviceType;
  browser: string;
  os: string;
  location: string | null;
  language: string | null;
  screen: string;
};

export type Visitors = {
  /** Returns a new or returning visitor for the next visit. `day` never decreases. */
  arrive(country: number, day: number): Visitor;
  /** Returns a new visitor who never comes back. */
  pass(country: number): Visitor;
};

const RETURNING_SHARE = 0.38;
/** Share of returns on the day of the first visit. The ages of the others are log-normal. */
const SAME_DAY_SHARE = 0.28;
const AGE_MEDIAN_DAYS = 6;
const AGE_SPREAD = 1.3;
/** Some come back far more often than others: the higher, the more visits fall to the keenest. */
const LOYALTY = 2.5;

/**
 * The visitors of one website. A visitor is a number; everything else about it follows from that number and the seed,
 * so millions of them cost four bytes each.
 */
export function createVisitors(seed: number, random: Random): Visitors {
  let count = 0;
  /** By country: the visitors in the order of their first visits, and where each day begins among them. */
  const known = COUNTRIES.map(() => ({ numbers: [] as number[], dayStarts: [] as number[] }));

  return { arrive, pass };

  function arrive(country: number, day: number): Visitor {
    const { numbers, dayStarts } = known[country] ?? { numbers: [], dayStarts: [] };
    while (dayStarts.length <= day) dayStarts.push(numbers.length);
    const before = random.chance(RETURNING_SHARE) ? findReturning(numbers, dayStarts, day) : undefined;
    if (before !== undefined) return describe(before, country, true);
    const visitor = pass(country);
    numbers.push(count);
    return visitor;
  }

  function pass(country: number): Visitor {
    count += 1;
    return describe(count, country, false);
  }

  /** Undefined when the first visit would have been before the traffic began. */
  function findReturning(numbers: number[], dayStarts: number[], day: number): number | undefined {
    const ageDays = random.chance(SAME_DAY_SHARE)
      ? 0
      : 1 + Math.floor(random.around(AGE_MEDIAN_DAYS, AGE_SPREAD));
    if (ageDays > day) return undefined;
    const from = dayStarts[day - ageDays] ?? 0;
    const to = dayStarts[day - ageDays + 1] ?? numbers.length;
    return numbers[from + Math.floor((to - from) * random.next() ** LOYALTY)];
  }

  function describe(number: number, country: number, isReturning: boolean): Visitor {
    const own = mix(seed, number);
    const agent = chooseAgent(mixToUnit(own, 1));
    const { code, languages } = COUNTRIES[country] ?? COUNTRIES[0];
    return {
      id: toUuidV4(own, mix(own, 2), mix(seed, -number), mix(own, 3)),
      lastingSessionId: toUuidV4(mix(own, 4), mix(own, 5), mix(own, 9), mix(own, 6)),
      isReturning,
      deviceType: agent.deviceType,
      browser: agent.browser,
      os: agent.os,
      location: code,
      language: languages[mix(own, 7) % languages.length] ?? null,
      screen: agent.screens[mix(own, 8) % agent.screens.length] ?? '1920x1080',
    };
  }
}
