/** A bit for each visitor is set without branches: whether it was there before is as good as random. */

/**
 * @param people different visitors, within the bits
 * @returns how many were not marked before
 */
export function markDifferent(people: Uint32Array, bits: Uint32Array): number {
  let known = 0;
  for (let index = 0; index < people.length; index += 1) {
    const person = people[index] as number; // within the column, and its word within the bits
    const word = bits[person >>> 5] as number;
    known += (word >>> (person & 31)) & 1;
    bits[person >>> 5] = word | (1 << (person & 31));
  }
  return people.length - known;
}
