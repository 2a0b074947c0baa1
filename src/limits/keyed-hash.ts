/**
 * HalfSipHash-1-3 (Aumasson and Bernstein) of a text, 64 bits as two numbers of 32. The key is new in every process, so
 * nobody outside can find two addresses that meet, and an address cannot be read back from memory.
 *
 * @returns fills `out` with the low and the high half
 */
export type KeyedHash = (text: string, out: Uint32Array) => void;

export function createKeyedHash(key = crypto.getRandomValues(new Uint32Array(2))): KeyedHash {
  const [k0 = 0, k1 = 0] = key;
  return (text, out) => {
    let v0 = k0;
    let v1 = k1 ^ 0xee; // 0xee: the form with 64 bits of output
    let v2 = k0 ^ 0x6c796765;
    let v3 = k1 ^ 0x74656462;
    const { length } = text;

    function round(): void {
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
    }

    // Two UTF-16 units a word; the last word holds the rest of the text and its length.
    const even = length & ~1;
    for (let index = 0; index < even; index += 2) {
      const word = text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16);
      v3 ^= word;
      round();
      v0 ^= word;
    }
    const last = (length === even ? 0 : text.charCodeAt(even)) | (length << 16);
    v3 ^= last;
    round();
    v0 ^= last;

    v2 ^= 0xee;
    round();
    round();
    round();
    out[0] = v1 ^ v3;
    v1 ^= 0xdd;
    round();
    round();
    round();
    out[1] = v1 ^ v3;
  };
}
