const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 16;
/** The largest multiple of 62 that a byte can reach: bytes from here on would favour the first characters. */
const UNBIASED_BELOW = 256 - (256 % ALPHABET.length);

/** `pm-{16 random base62 characters, 95 bits}-{milliseconds since the epoch}`. */
export function makeTrackingCode(nowMs: number): string {
  return `pm-${randomText(RANDOM_LENGTH)}-${nowMs}`;
}

function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length - text.length)))
      if (byte < UNBIASED_BELOW) text += ALPHABET.charAt(byte % ALPHABET.length);
  }
  return text;
}
