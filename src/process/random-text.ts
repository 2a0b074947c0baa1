const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The largest multiple of 62 that a byte can reach: bytes from here on would favour the first characters. */
const UNBIASED_BELOW = 256 - (256 % ALPHABET.length);

/** Random base62: 5.95 bits a character. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length)
    for (const byte of crypto.getRandomValues(new Uint8Array(length - text.length)))
      if (byte < UNBIASED_BELOW) text += ALPHABET.charAt(byte % ALPHABET.length);
  return text;
}
