/** Shades of the map. */
export const LEVELS = 5;

/**
 * The shade of a figure, 1 to LEVELS: steps of equal proportion from the smallest to the largest, because visitors differ
 * between countries by factors. With even steps all but the largest would have the first shade.
 */
export function levelOf(visitors: number, smallest: number, largest: number): number {
  if (visitors >= largest) return LEVELS;
  const part = Math.log(visitors / smallest) / Math.log(largest / smallest);
  return Math.min(LEVELS, 1 + Math.floor(LEVELS * Math.max(0, part)));
}
