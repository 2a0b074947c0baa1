const BYTES = 4;
const VALUES = 256;

/** How many words have each of their 32 bits set. The values of each byte are counted first: four steps a word, however many bits it has. */
export function countBits(words: Uint32Array): Uint32Array {
  const values = new Uint32Array(BYTES * VALUES);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as number; // within the words, and each byte within its values
    (values[word & 0xff] as number) += 1;
    (values[VALUES + ((word >>> 8) & 0xff)] as number) += 1;
    (values[2 * VALUES + ((word >>> 16) & 0xff)] as number) += 1;
    (values[3 * VALUES + (word >>> 24)] as number) += 1;
  }
  const counts = new Uint32Array(BYTES * 8);
  values.forEach((count, place) => {
    const firstBit = Math.floor(place / VALUES) * 8;
    for (let bit = 0; bit < 8; bit += 1) (counts[firstBit + bit] as number) += ((place >>> bit) & 1) * count;
  });
  return counts;
}
