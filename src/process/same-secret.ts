/** Takes as long whether much of it is right or little: by their digests, so that nobody learns the length either. */
export function isSameSecret(given: string, secret: string): boolean {
  return crypto.timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return new Bun.CryptoHasher('sha256').update(text).digest();
}
