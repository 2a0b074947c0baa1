import { SCREEN_SIZES, type ScreenSize } from '../../vocabulary/analytics.ts';

const SIZES = (Object.entries(SCREEN_SIZES) as [ScreenSize, number][]).toReversed(); // its own keys

/** A screen as events have it: width, x, height. */
export const SCREEN = /^([1-9][0-9]{0,4})x[1-9][0-9]{0,4}$/;

/** Returns the class of a screen by its width; empty for a text that is not a size. */
export function toScreenSize(screen: string | null): ScreenSize | '' {
  const [, width] = SCREEN.exec(screen ?? '') ?? [];
  if (width === undefined) return '';
  return SIZES.find(([, from]) => Number(width) >= from)?.[0] ?? '';
}
