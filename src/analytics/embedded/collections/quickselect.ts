/**
 * What would be at index n after sorting: pages are ranked by hundreds of thousands of numbers of which ten are shown, and
 * sorting takes ten times as long. The pivot is a matter of luck, so that no order of values is a bad one.
 *
 * @param values some at least, none NaN; their order changes
 * @param n      within them
 */
export function quickselect(values: Float64Array, n: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    // Indexes stay within the values: the pivot is one of them, and stops both walks.
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
