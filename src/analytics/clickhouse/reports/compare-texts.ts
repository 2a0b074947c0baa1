/** Ascending by UTF-16 units, the absent value first. */
export function compareTexts(a: string | null, b: string | null): number {
  const [left, right] = [a ?? '', b ?? ''];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
