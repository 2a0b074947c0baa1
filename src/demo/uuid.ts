const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Version 7 (RFC 9562): begins with the time, so that ids grow with it. The rest is `a`, `b` and `c`, 32 bits each. */
export function toUuidV7(instantMs: number, a: number, b: number, c: number): string {
  const high = Math.floor(instantMs / 65_536);
  return format(high, ((instantMs & 0xffff) << 16) | 0x7000 | (a & 0xfff), toVariant(b), c);
}

/** Version 4 from four numbers of 32 bits. */
export function toUuidV4(a: number, b: number, c: number, d: number): string {
  return format(a, (b & 0xffff0fff) | 0x4000, toVariant(c), d);
}

function toVariant(word: number): number {
  return (word & 0x3fffffff) | 0x80000000;
}

function format(a: number, b: number, c: number, d: number): string {
  return `${hex(a)}-${hex16(b >>> 16)}-${hex16(b)}-${hex16(c >>> 16)}-${hex16(c)}${hex(d)}`;
}

function hex(word: number): string {
  return hex16(word >>> 16) + hex16(word);
}

function hex16(word: number): string {
  // Both indexes are bytes.
  return (BYTES[(word >>> 8) & 255] as string) + (BYTES[word & 255] as string);
}
