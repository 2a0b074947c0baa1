/**
 * A key of 32 bytes for one purpose, out of another key: HKDF with SHA-256 and no salt (RFC 5869), whose first block is all
 * that is needed. `node:crypto` has it as well, and takes 8 ms of every start to load.
 */
export function deriveKey(key: Uint8Array, purpose: string): Uint8Array {
  const extracted = new Bun.CryptoHasher('sha256', new Uint8Array(32)).update(key).digest();
  return new Bun.CryptoHasher('sha256', extracted).update(`${purpose}\u0001`).digest();
}
