/** Compares secrets in constant time. It compares digests, so that the duration does not reveal the length either. */
export function isSameSecret(given: string, secret: string): boolean {
  return crypto.timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return new Bun.CryptoHasher('sha256').update(text).digest();
}
