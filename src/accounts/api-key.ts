import { randomText } from '../process/random-text.ts';

const RANDOM_LENGTH = 32;
const PREFIX_LENGTH = 8;

export const API_KEY_START = 'pk_';
const API_KEY = /^pk_[0-9A-Za-z]{32}$/;

/** `pk_` and 32 random characters: 190 bits. */
export function generateApiKey(): string {
  return API_KEY_START + randomText(RANDOM_LENGTH);
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
