const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const PREFIX_LENGTH = 8;
/** The largest multiple of the alphabet's size in a byte: bytes from here on would favour the first letters. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

export const API_KEY_START = 'pk_';
const API_KEY = /^pk_[0-9A-Za-z]{32}$/;

/** `pk_` and 32 random characters: 190 bits. */
export function generateApiKey(): string {
  let random = '';
  while (random.length < RANDOM_LENGTH)
    for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH)))
      if (byte < FAIR_BYTES && random.length < RANDOM_LENGTH) random += ALPHABET[byte % ALPHABET.length];
  return API_KEY_START + random;
}

export function isApiKey(text: string): boolean {
  return API_KEY.test(text);
}

/** SHA-256, hex. A key is random enough that a slow hash would protect nothing. */
export function hashApiKey(key: string): string {
  return new Bun.CryptoHasher('sha256').update(key).digest('hex');
}

export function prefixOf(key: string): string {
  return key.slice(0, PREFIX_LENGTH);
}
