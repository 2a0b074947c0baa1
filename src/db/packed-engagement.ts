/** How a pageview was looked at, as its page reported it; null where it did not. */
export type Engagement = {
  /** Seconds during which the page was visible and used. */
  engagedSeconds: number | null;
  /** The deepest point that was seen, in percent of the page's height. */
  scrollDepth: number | null;
};

export const ENGAGEMENT_NAMES = [
  'engagedSeconds',
  'scrollDepth',
] as const satisfies readonly (keyof Engagement)[];

/**
 * Every pageview begins with this value, the smallest that SQLite stores in three bytes. So a report changes its row in
 * place: a row that grows would split a full page of the table.
 */
export const UNREPORTED = 2 ** 15;

/** The depth takes seven bits; both are stored plus one, so that 0 is absent. */
export const DEPTH_BITS = 7;

/** Both values in one integer, which grows with either of them. */
export function packEngagement({ engagedSeconds, scrollDepth }: Partial<Engagement>): number {
  return UNREPORTED + (toCode(engagedSeconds) << DEPTH_BITS) + toCode(scrollDepth);
}

export function unpackEngagement(stored: number | null): Engagement {
  const code = (stored ?? UNREPORTED) - UNREPORTED;
  return { engagedSeconds: toValue(code >> DEPTH_BITS), scrollDepth: toValue(code & (2 ** DEPTH_BITS - 1)) };
}

/** The stored form of one value; 0 is none. */
export function toCode(value: number | null | undefined): number {
  return value == null ? 0 : value + 1;
}

function toValue(code: number): number | null {
  return code === 0 ? null : code - 1;
}

export function isReported(engagement: Partial<Engagement>): boolean {
  return toCode(engagement.engagedSeconds) > 0 || toCode(engagement.scrollDepth) > 0;
}
