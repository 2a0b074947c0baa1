import { DAY_MS, HOUR_MS, MINUTE_MS } from '../vocabulary/durations.ts';
import { createPicker, type Picker } from './picker.ts';
import { createRandom } from './random.ts';
import { COUNTRIES } from './world.ts';

export const SLOT_MS = 5 * MINUTE_MS;
const SLOTS_A_DAY = DAY_MS / SLOT_MS;
const WEEK_H = 168;
/** 1 January 1970, where the hours are counted from, was a Thursday; weeks here begin on Monday. */
const EPOCH_WEEK_HOUR = 3 * 24;

/** How busy each hour of a visitor's own day is: quiet nights, a working day, an evening. */
const BY_HOUR = [14, 9, 6, 5, 6, 9, 17, 32, 52, 70, 80, 83, 76, 79, 83, 82, 76, 68, 62, 62, 64, 58, 42, 26];
const WEEKEND = [1, 1, 1.02, 1, 0.92, 0.6, 0.64];
/** Traffic at the end of the time compared with its beginning. */
const GROWTH = 1.3;
const DAY_NOISE = 0.1;
const BUSY_DAY_CHANCE = 1 / 40;
const BUSY_DAY_FACTOR = 2.2;

/** A picker of countries for each hour of a UTC week, by who is awake then. */
export function countryPickers(): Picker[] {
  return Array.from({ length: WEEK_H }, (_, hour) => createPicker(countryWeights(hour)));
}

/** Hour of the UTC week, from Monday 00:00. */
export function weekHour(instantMs: number): number {
  return (Math.floor(instantMs / HOUR_MS) + EPOCH_WEEK_HOUR) % WEEK_H;
}

/**
 * Which share of a website's events has been sent by the end of each slot of SLOT_MS, from 0 to 1: the rhythm of its
 * visitors' days and weeks, some growth, better and worse days, and a rare very busy one.
 */
export function shareBySlot(startMs: number, days: number, seed: number): Float64Array {
  const random = createRandom(seed);
  const byDay = Array.from({ length: days }, (_, day) => {
    const growth = 1 + ((GROWTH - 1) * day) / days;
    return growth * random.around(1, DAY_NOISE) * (random.chance(BUSY_DAY_CHANCE) ? BUSY_DAY_FACTOR : 1);
  });
  const byWeekHour = Array.from({ length: WEEK_H }, (_, hour) =>
    countryWeights(hour).reduce((sum, weight) => sum + weight, 0),
  );
  const shares = new Float64Array(days * SLOTS_A_DAY);
  let total = 0;
  for (let slot = 0; slot < shares.length; slot += 1) {
    const hour = weekHour(startMs + slot * SLOT_MS);
    total += (byDay[Math.floor(slot / SLOTS_A_DAY)] ?? 0) * (byWeekHour[hour] ?? 0);
    shares[slot] = total;
  }
  return shares.map((share) => share / total);
}

function countryWeights(hour: number): number[] {
  return COUNTRIES.map(({ weight, utcOffsetH }) => {
    const local = (hour + utcOffsetH + WEEK_H) % WEEK_H;
    return weight * (BY_HOUR[local % 24] ?? 0) * (WEEKEND[Math.floor(local / 24)] ?? 0);
  });
}
