/**
 * Returns the first index whose value is at least `value`.
 *
 * @param sorted ascending
 * @param from first index to search
 */
export function lowerBound(sorted: Uint32Array | Float64Array, value: number, from = 0): number {
  let low = from;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
