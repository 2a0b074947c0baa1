/** Shades of the map. */
export const LEVELS = 5;

/**
 * The shade of a figure, 1 to LEVELS: steps of equal proportion, because visitors differ between countries by factors.
 * The largest has the last shade; with even steps all others would have the first.
 */
export function levelOf(visitors: number, largest: number): number {
  if (largest <= 1 || visitors >= largest) return LEVELS;
  return Math.min(LEVELS, 1 + Math.floor((LEVELS * Math.log(Math.max(1, visitors))) / Math.log(largest)));
}
