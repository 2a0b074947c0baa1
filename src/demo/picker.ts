/** Turns a number in [0, 1) into an index, each as often as its weight says. */
export type Picker = (unit: number) => number;

/** Walker's alias method: one look-up a draw, however many weights. Weights are not negative, at least one is positive. */
export function createPicker(weights: readonly number[]): Picker {
  const size = weights.length;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = weights.map((weight) => (weight * size) / total);
  const keep = new Float64Array(size).fill(1);
  const alias = new Uint32Array(size);
  const poor = shares.flatMap((share, index) => (share < 1 ? [index] : []));
  const rich = shares.flatMap((share, index) => (share < 1 ? [] : [index]));
  while (poor.length > 0 && rich.length > 0) {
    const taker = poor.pop() ?? 0;
    const giver = rich.pop() ?? 0;
    const share = shares[taker] ?? 0;
    keep[taker] = share;
    alias[taker] = giver;
    const left = (shares[giver] ?? 0) - (1 - share);
    shares[giver] = left;
    (left < 1 ? poor : rich).push(giver);
  }
  return (unit) => {
    const scaled = unit * size;
    const index = Math.floor(scaled);
    return scaled - index < (keep[index] ?? 1) ? index : (alias[index] ?? index);
  };
}

/** Picks one of the entries, each as often as its `weight` says. */
export function createChoice<Entry extends { weight: number }>(
  entries: readonly Entry[],
): (unit: number) => Entry {
  const pick = createPicker(entries.map((entry) => entry.weight));
  // The picker stays within the list that it was made from.
  return (unit) => entries[pick(unit)] as Entry;
}

/** Zipf's law: the entry of rank n is met as often as 1 / n^exponent says. */
export function zipfWeights(size: number, exponent: number): number[] {
  return Array.from({ length: size }, (_, index) => 1 / (index + 1) ** exponent);
}
