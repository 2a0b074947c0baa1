/** Packs integers with as many bits as the greatest needs, one after another in 32-bit words. */

const WORD_BITS = 32;
const WORD_BYTES = 4;

export type Integers = Uint8Array | Uint16Array | Uint32Array;

/** Returns the number of bits of the greatest value. */
export function widthOf(values: Integers): number {
  let all = 0;
  for (let index = 0; index < values.length; index += 1) all |= values[index] as number;
  return WORD_BITS - Math.clz32(all);
}

/** Includes one spare word, so that reading a value need not check for the end. */
export function packedBytes(count: number, width: number): number {
  return WORD_BYTES * (Math.ceil((count * width) / WORD_BITS) + 1);
}

/** @param into zeroed, of length `packedBytes` */
export function packInto<Into extends Uint8Array>(into: Into, values: Integers, width: number): Into {
  const words = new Uint32Array(into.buffer, into.byteOffset, into.length / WORD_BYTES);
  let at = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    const bit = at & 31;
    (words[at >>> 5] as number) |= value << bit;
    if (bit + width > WORD_BITS) (words[(at >>> 5) + 1] as number) |= value >>> (WORD_BITS - bit);
    at += width;
  }
  return into;
}

/** @param packed output of `packInto` */
export function unpack(packed: Uint8Array, width: number, into: Integers): void {
  const isAligned = packed.byteOffset % WORD_BYTES === 0;
  const { buffer, byteOffset, length } = isAligned ? packed : new Uint8Array(packed);
  const words = new Uint32Array(buffer, byteOffset, length / WORD_BYTES);
  const mask = width === WORD_BITS ? -1 : (1 << width) - 1;
  let at = 0;
  for (let index = 0; index < into.length; index += 1) {
    const bit = at & 31;
    const low = (words[at >>> 5] as number) >>> bit;
    const high = bit === 0 ? 0 : (words[(at >>> 5) + 1] as number) << (WORD_BITS - bit);
    into[index] = (low | high) & mask;
    at += width;
  }
}
