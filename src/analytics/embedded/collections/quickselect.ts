/**
 * Returns the value that would be at index n after sorting. Pages rank hundreds of thousands of values and show ten;
 * sorting takes ten times as long. The pivot is random, so no input order is the worst case.
 *
 * @param values at least one, without NaN; their order changes
 * @param n      an index of `values`
 */
export function quickselect(values: Float64Array, n: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    // Both walks stop at the pivot, so indexes stay in bounds.
    const pivot = values[low + Math.floor(Math.random() * (high - low + 1))] as number;
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] as number) < pivot) left += 1;
      while ((values[right] as number) > pivot) right -= 1;
      if (left > right) break;
      const value = values[left] as number;
      values[left] = values[right] as number;
      values[right] = value;
      left += 1;
      right -= 1;
    }
    if (n <= right) high = right;
    else if (n >= left) low = left;
    else return pivot;
  }
  return values[n] as number;
}
