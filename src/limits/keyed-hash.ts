/**
 * Fills `out` with 64 bits of SHA-256 of a secret and a text, as two 32-bit numbers. Every process has a new secret, so
 * collisions cannot be searched for from outside, and an address cannot be read back from memory.
 */
export type KeyedHash = (text: string, out: Uint32Array) => void;

const SHA256_BYTES = 32;

export function createKeyedHash(secret: string = crypto.randomUUID()): KeyedHash {
  const digest = new Uint8Array(SHA256_BYTES);
  const words = new Uint32Array(digest.buffer);
  return (text, out) => {
    Bun.SHA256.hash(secret + text, digest);
    out[0] = words[0] ?? 0;
    out[1] = words[1] ?? 0;
  };
}
