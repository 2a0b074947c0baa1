/** Texts of the dictionaries have at most so many UTF-16 units. */
export const TEXT_MAX = 255;

/**
 * A text as the dictionaries hold it: cut, and such that SQLite gives it back as it was. U+0000 would end it there, and
 * lone surrogates would be replaced on the way.
 */
export function toText(text: string): string {
  const cut = text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text;
  const whole = cut.includes('\0') ? cut.replaceAll('\0', '\ufffd') : cut;
  return whole.isWellFormed() ? whole : whole.toWellFormed();
}

/** Ascending by UTF-16 units, as `<` compares; the absent value first. */
export function compareText(a: string | null, b: string | null): number {
  const left = a ?? '';
  const right = b ?? '';
  return left < right ? -1 : left > right ? 1 : 0;
}
