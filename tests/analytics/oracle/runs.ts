/**
 * How many random cases, and which. The short run takes the same ones each time. `CASES=10000 bun test
 * tests/analytics/oracle.test.ts` takes others each time and prints their seed; `SEED=…` repeats them.
 *
 * @param usual cases of this property where the largest one has 250 in all; the short run takes 150 of 250
 */
export function runs(usual: number): { numRuns: number; seed: number } {
  return { numRuns: Math.ceil(((cases || SHORT_CASES) * usual) / 250), seed };
}

const SHORT_CASES = 150;

export const TEST_MS_MAX = 6 * 3_600_000;

const cases = Number(process.env.CASES ?? 0);
export const seed = process.env.SEED ? Number(process.env.SEED) : cases ? Date.now() % 2 ** 31 : 1;
if (cases) console.log(`seed ${seed}`);
export const isLong = cases > 0;
