const BYTES = 4;
const VALUES = 256;

/**
 * Counts the words in which each of the 32 bits is set. It counts byte values first: four steps per word, however many bits
 * are set.
 */
export class BitCounts {
  readonly #values = new Uint32Array(BYTES * VALUES);

  add(words: Uint32Array, length = words.length): void {
    const values = this.#values;
    for (let at = 0; at < length; at += 1) {
      const word = words[at] as number;
      (values[word & 0xff] as number) += 1;
      (values[VALUES + ((word >>> 8) & 0xff)] as number) += 1;
      (values[2 * VALUES + ((word >>> 16) & 0xff)] as number) += 1;
      (values[3 * VALUES + (word >>> 24)] as number) += 1;
    }
  }

  /** Returns the counts by bit. */
  finish(): Uint32Array {
    const counts = new Uint32Array(BYTES * 8);
    this.#values.forEach((count, place) => {
      const firstBit = Math.floor(place / VALUES) * 8;
      for (let bit = 0; bit < 8; bit += 1)
        (counts[firstBit + bit] as number) += ((place >>> bit) & 1) * count;
    });
    return counts;
  }
}
